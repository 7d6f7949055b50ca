package deploy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"terfyn/deploy/snapshot"
	"terfyn/internal/canon"
	"terfyn/planner"
	"terfyn/store"
)

// Deployer is what applying needs of a store.
type Deployer interface {
	Reader
	InTx(ctx context.Context, f func(tx store.Tx) error) error
}

// ApplyIn is a reviewed plan and the content it was made for.
type ApplyIn struct {
	Plan    planner.Plan
	Content snapshot.Content
	// CompilerVersion goes into the identity of the snapshot.
	CompilerVersion string
	Actor           string
	Now             time.Time
	// Rollback marks the return to an earlier snapshot in the audit event.
	Rollback bool
	// Evidence is the status at this moment; the one in Plan is not trusted.
	Evidence planner.Evidence
	// RequireEvidence refuses without current evidence, whatever policy says.
	RequireEvidence bool
}

// Applied is the outcome of an apply.
type Applied struct {
	// Changed is false when there was nothing to do; nothing was written then.
	Changed bool
	Current store.Current
	Apply   store.Apply // zero when nothing changed
}

// RefusedError says that policy forbids to apply a plan. Nothing was written.
type RefusedError struct {
	Environment string
	Refusals    []planner.Refusal
}

// Error names every reason.
func (e *RefusedError) Error() string {
	reasons := make([]string, len(e.Refusals))
	for i, r := range e.Refusals {
		reasons[i] = r.Reason
	}
	return fmt.Sprintf("apply to environment %q is refused by policy: %s", e.Environment, strings.Join(reasons, " "))
}

// Apply commits a plan. The plan is computed again from the store and must be
// the very plan that was reviewed: a baseline that moved, content that changed
// and an altered plan are conflicts wrapping store.ErrConflict, and nothing is
// written. A *RefusedError is a denial by policy. Everything one apply writes
// is committed at once or not at all.
func Apply(ctx context.Context, s Deployer, in ApplyIn) (Applied, error) {
	in.Content = Pinned(in.Content)
	plan, digest, err := recheck(ctx, s, in)
	if err != nil {
		return Applied{}, fmt.Errorf("apply to environment %q: %w", in.Content.Environment, err)
	}
	if err := Refused(plan, in.Evidence, in.RequireEvidence); err != nil {
		return Applied{}, err
	}
	if plan.Empty() {
		current, err := CurrentSnapshot(ctx, s, plan.Environment)
		return Applied{Current: current}, err
	}
	d, err := deployment(in, plan, digest)
	if err != nil {
		return Applied{}, fmt.Errorf("apply to environment %q: %w", plan.Environment, err)
	}
	current, err := commit(ctx, s, d, in.Rollback)
	if errors.Is(err, store.ErrConflict) {
		err = fmt.Errorf("another apply came first; run terfyn plan again: %w", err)
	}
	if err != nil {
		return Applied{}, fmt.Errorf("apply to environment %q: %w", plan.Environment, err)
	}
	return Applied{Changed: true, Current: current, Apply: d.Apply}, nil
}

// Check reports whether Apply would take the plan of in for the one that was made on
// the state and content of now; the errors are those of Apply. It writes nothing, and
// policy may still refuse. A nil Reader stands for a place where nothing was ever
// applied.
func Check(ctx context.Context, s Reader, in ApplyIn) error {
	in.Content = Pinned(in.Content)
	if _, _, err := recheck(ctx, s, in); err != nil {
		return fmt.Errorf("apply to environment %q: %w", in.Content.Environment, err)
	}
	return nil
}

// recheck computes the plan anew and compares it with the reviewed one. It gives the
// new one and its digest.
func recheck(ctx context.Context, s Reader, in ApplyIn) (planner.Plan, canon.Digest, error) {
	now, err := planNow(ctx, s, in)
	if err != nil {
		return planner.Plan{}, "", err
	}
	was, is := in.Plan.Digest(), now.Digest()
	if was != is {
		return planner.Plan{}, "", fmt.Errorf("the plan shows something else than what would be applied (%s, now %s): it was altered, or made by another release; run terfyn plan again: %w",
			shortOf(was), shortOf(is), store.ErrConflict)
	}
	return now, is, nil
}

// planNow computes the plan anew and checks that the reviewed one was made for the
// same project, state and content.
func planNow(ctx context.Context, s Reader, in ApplyIn) (planner.Plan, error) {
	reviewed := in.Plan
	if reviewed.Environment != in.Content.Environment || reviewed.DeploymentBaseline.Environment != in.Content.Environment {
		return planner.Plan{}, fmt.Errorf("the plan compares environment %q with %q and cannot be applied to %q; run terfyn plan again, without --from-env: %w",
			reviewed.Environment, reviewed.DeploymentBaseline.Environment, in.Content.Environment, store.ErrConflict)
	}
	now, err := Prepare(ctx, s, in.Content, Options{Evidence: in.Evidence})
	if err != nil {
		return planner.Plan{}, err
	}
	switch was, is := reviewed.DeploymentBaseline, now.DeploymentBaseline; {
	case reviewed.Project != now.Project:
		return planner.Plan{}, fmt.Errorf("the plan was made for project %q and this is project %q; run terfyn plan again: %w", reviewed.Project, now.Project, store.ErrConflict)
	case was != is:
		return planner.Plan{}, fmt.Errorf("the plan was made on version %d (%s) and the environment is at version %d (%s); run terfyn plan again: %w",
			was.Version, shortOf(was.Snapshot), is.Version, shortOf(is.Snapshot), store.ErrConflict)
	case reviewed.ResolvedConfigDigest != now.ResolvedConfigDigest:
		return planner.Plan{}, fmt.Errorf("the project is not the one the plan was made for (%s, now %s); run terfyn plan again: %w",
			shortOf(reviewed.ResolvedConfigDigest), shortOf(now.ResolvedConfigDigest), store.ErrConflict)
	}
	return now, nil
}

func shortOf(d canon.Digest) string {
	if d == "" {
		return "nothing applied"
	}
	return d.Short()
}

// Refused is the *RefusedError for a plan that policy or the caller's demand for
// evidence forbids to apply, nil for one that may be applied. evidence is the
// status at this moment.
func Refused(plan planner.Plan, evidence planner.Evidence, require bool) error {
	refusals := plan.Refusals
	if require && evidence != planner.EvidenceCurrent && len(refusals) == 0 {
		refusals = append(refusals, planner.RequiredEvidence("--require-evidence", evidence))
	}
	if len(refusals) == 0 {
		return nil
	}
	return &RefusedError{Environment: plan.Environment, Refusals: refusals}
}

// commit writes the deployment and its audit event, both or neither.
func commit(ctx context.Context, s Deployer, d store.Deployment, rollback bool) (current store.Current, err error) {
	err = s.InTx(ctx, func(tx store.Tx) error {
		if current, err = tx.Deploy(ctx, d); err != nil {
			return err
		}
		_, err = tx.Append(ctx, auditEvent(d, current, rollback))
		return err
	})
	return current, err
}

// deployment collects what one apply writes. Rows of unchanged resources stay
// as they are, with the time they were applied at.
func deployment(in ApplyIn, plan planner.Plan, digest canon.Digest) (store.Deployment, error) {
	snap, artifacts, err := snapshot.Build(in.Content, in.CompilerVersion)
	if err != nil {
		return store.Deployment{}, err
	}
	snap.CreatedAt = in.Now
	for i := range artifacts {
		artifacts[i].CreatedAt = in.Now
	}
	schemas, err := snapshot.ParseSchemas(in.Content.Schemas)
	if err != nil {
		return store.Deployment{}, err
	}
	d := store.Deployment{
		Artifacts: artifacts, Snapshot: snap, ExpectedVersion: plan.DeploymentBaseline.Version,
		Apply: store.Apply{
			ID: applyID(plan, digest), Environment: plan.Environment, Project: plan.Project, Actor: in.Actor, PlanDigest: digest,
			SnapshotBefore: plan.DeploymentBaseline.Snapshot, SnapshotAfter: snap.Digest, At: in.Now,
		},
	}
	changed := map[store.ResourceKey]bool{}
	for _, o := range plan.Operations {
		key := store.ResourceKey{Kind: o.Kind, Name: o.Name}
		if o.Action == planner.Delete {
			d.Deleted = append(d.Deleted, key)
			continue
		}
		changed[key] = true
	}
	for _, r := range planner.Resources(in.Content.Graph, schemas) {
		if changed[store.ResourceKey{Kind: r.Kind, Name: r.Name}] {
			d.Resources = append(d.Resources, store.AppliedResource{
				Environment: plan.Environment, Kind: r.Kind, Name: r.Name, SpecHash: r.Hash, Normalized: r.Spec.Encode(), AppliedAt: in.Now,
			})
		}
	}
	return d, nil
}

// applyID names an apply. A version is reached once, so the id is unique and
// does not depend on a clock.
func applyID(plan planner.Plan, digest canon.Digest) string {
	d := canon.Object(
		canon.F("environment", canon.String(plan.Environment)),
		canon.F("version", canon.Int(plan.DeploymentBaseline.Version+1)),
		canon.F("plan", canon.String(string(digest))),
	).Digest()
	return "apply-" + d.Short()
}
