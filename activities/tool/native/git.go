package native

import (
	"context"
	"os/exec"
	"regexp"
	"strings"

	"terfyn/activities/tool"
	"terfyn/internal/canon"
)

// guards keep what lies in the workspace from running programs of its own: hooks,
// monitors, external diffs and pagers.
var guards = []string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "diff.external=", "--no-pager"}

// git runs one command of git in the workspace.
func git(ctx context.Context, s session, args ...string) (finished, error) {
	dir, err := rootDir(s.call)
	if err != nil {
		return finished{}, err
	}
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, guards...), args...)...)
	cmd.Dir = dir
	// Nobody is there to answer a question.
	cmd.Env = []string{"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_SSH_COMMAND=ssh -o BatchMode=yes"}
	p, err := execute(ctx, s, cmd, "git")
	if err != nil {
		return p, err
	}
	if p.code != 0 {
		return p, tool.Failf(tool.Failed, "git", "git %s ended with code %d: %s", args[0], p.code, withoutCredentials(strings.TrimSpace(p.output))).Answerable()
	}
	return p, nil
}

var credentials = regexp.MustCompile(`://[^/@\s]+@`)

// withoutCredentials hides users and passwords of addresses.
func withoutCredentials(text string) string { return credentials.ReplaceAllString(text, "://***@") }

// gitStatus reports the branch and the changed files with git's two letters.
func gitStatus(ctx context.Context, s session) (canon.Value, error) {
	p, err := git(ctx, s, "status", "--porcelain=v1", "--branch", "-z")
	if err != nil {
		return canon.Value{}, err
	}
	branch, changes := "", []canon.Value{}
	entries := strings.Split(strings.TrimRight(p.output, "\x00"), "\x00")
	for i := 0; i < len(entries); i++ {
		e := entries[i]
		if head, ok := strings.CutPrefix(e, "## "); ok {
			branch, _, _ = strings.Cut(strings.TrimPrefix(head, "No commits yet on "), "...")
			continue
		}
		if len(e) < len("XY p") {
			continue
		}
		if e[0] == 'R' || e[0] == 'C' {
			i++ // the old name of a renamed file follows
		}
		changes = append(changes, canon.Object(canon.F("path", canon.String(e[3:])), canon.F("status", canon.String(strings.TrimSpace(e[:2])))))
	}
	return truncated(canon.Object(canon.F("branch", canon.String(branch)), canon.F("changes", canon.List(changes...))), p.cut), nil
}

// gitDiff compares the workspace with its last commit.
func gitDiff(ctx context.Context, s session) (canon.Value, error) {
	p, err := git(ctx, s, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "HEAD")
	if err != nil {
		return canon.Value{}, err
	}
	return truncated(canon.Object(canon.F("diff", canon.String(p.output))), p.cut), nil
}

func createBranch(ctx context.Context, s session) (canon.Value, error) {
	name := s.args.text("name")
	if err := plainRef(name); err != nil {
		return canon.Value{}, err
	}
	if _, err := git(ctx, s, "switch", "--quiet", "--create", name); err != nil {
		return canon.Value{}, err
	}
	return canon.Object(canon.F("branch", canon.String(name))), nil
}

// pushBranch never forces and takes no other remote than origin.
func pushBranch(ctx context.Context, s session) (canon.Value, error) {
	branch := s.args.text("branch")
	if err := plainRef(branch); err != nil {
		return canon.Value{}, err
	}
	ref := "refs/heads/" + branch
	if _, err := git(ctx, s, "push", "--porcelain", "origin", ref+":"+ref); err != nil {
		if ctx.Err() != nil {
			return canon.Value{}, tool.Ended(ctx, s.call, true)
		}
		return canon.Value{}, err
	}
	return canon.Object(canon.F("branch", canon.String(branch)), canon.F("remote", canon.String("origin"))), nil
}

var refName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/+-]*$`)

// plainRef refuses names that git would read as options, ranges or revisions.
func plainRef(name string) error {
	if !refName.MatchString(name) || strings.Contains(name, "..") || strings.Contains(name, "//") || strings.HasSuffix(name, "/") || strings.HasSuffix(name, ".lock") {
		return bad("%q is no plain name of a branch, tag or commit", tool.Bound(name))
	}
	return nil
}
