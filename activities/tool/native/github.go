package native

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"terfyn/activities/tool"
	"terfyn/activities/tool/http"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// The variables that say which GitHub server is asked, and as whom.
const (
	githubURL   = "GITHUB_API_URL"
	githubToken = "GITHUB_TOKEN"
)

func getPullRequest(ctx context.Context, s session) (canon.Value, error) {
	return s.github(ctx, "GET", "pulls/"+s.number(), "application/vnd.github+json", canon.Object())
}

func pullRequestDiff(ctx context.Context, s session) (canon.Value, error) {
	out, err := s.github(ctx, "GET", "pulls/"+s.number(), "application/vnd.github.diff", canon.Object())
	if text, ok := out.AsString(); ok {
		out = canon.Object(canon.F("diff", canon.String(text)))
	}
	return out, err
}

func postComment(ctx context.Context, s session) (canon.Value, error) {
	return s.github(ctx, "POST", "issues/"+s.number()+"/comments", "application/vnd.github+json", canon.Object(canon.F("body", s.args.v.At("body"))))
}

func listChecks(ctx context.Context, s session) (canon.Value, error) {
	ref := s.args.text("ref")
	if err := plainRef(ref); err != nil {
		return canon.Value{}, err
	}
	return s.github(ctx, "GET", "commits/"+ref+"/check-runs", "application/vnd.github+json", canon.Object())
}

func (s session) number() string {
	n, _ := s.args.count("number")
	return fmt.Sprint(n)
}

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// github sends one request about the repository of the arguments. What its failure
// means is the business of the http transport, like for any other service.
func (s session) github(ctx context.Context, method, path, accept string, body canon.Value) (canon.Value, error) {
	owner, repo := s.args.text("owner"), s.args.text("repo")
	if !repositoryName.MatchString(owner) || !repositoryName.MatchString(repo) {
		return canon.Value{}, bad("owner and repo must be plain names")
	}
	headers := []resource.Header{{Name: "Accept", Value: accept}}
	token := environment("", githubToken)
	if token != "" {
		headers = append(headers, resource.Header{Name: "Authorization", Value: "Bearer " + token})
	}
	base := environment("", githubURL)
	if base == "" {
		base = "https://api.github.com"
	}
	c := s.call
	c.Tool.HTTP = &resource.HTTP{BaseURL: base, Headers: headers}
	c.Operation.RemoteName = method + " /repos/" + owner + "/" + repo + "/" + path
	c.Arguments = body
	if method == "GET" {
		reads := true
		c.Operation.ReadOnly = &reads // nothing is left open when its answer is lost
	}
	r, err := http.Transport{}.Call(ctx, c)
	if err != nil {
		return canon.Value{}, hidden(err, token)
	}
	if text, ok := r.Output.AsString(); ok && r.Truncated {
		r.Output = truncated(canon.Object(canon.F("diff", canon.String(text))), true)
	}
	if token == "" {
		return r.Output, nil
	}
	return tool.Redact(r.Output, []string{token}), nil
}

// hidden takes the token out of the message of an error, should a server repeat it.
func hidden(err error, token string) error {
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || token == "" {
		return err
	}
	clean := *e
	clean.Message = tool.RedactText(e.Message, []string{token})
	return &clean
}
