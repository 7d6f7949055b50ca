package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler/resource"
	"terfyn/store"
)

// Completion never fails aloud: what cannot be read offers nothing.

func offer(names []string) ([]string, cobra.ShellCompDirective) {
	return names, cobra.ShellCompDirectiveNoFileComp
}

// resources lists KIND/NAME of the project, kinds in lower case.
func (a *app) resources(keep func(resource.Kind) bool) []string {
	r, _, err := a.compile(true)
	if err != nil {
		return nil
	}
	var out []string
	for _, res := range resource.Resources(r.Graph) {
		if keep(res.Kind) {
			out = append(out, strings.ToLower(string(res.Kind))+"/"+res.Name)
		}
	}
	return out
}

func (a *app) completeResources(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return offer(nil)
	}
	return offer(a.resources(func(resource.Kind) bool { return true }))
}

func (a *app) completeWorkflows(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return offer(nil)
	}
	return offer(a.resources(func(k resource.Kind) bool { return k == resource.KindWorkflow }))
}

func (a *app) completeEnvironments(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, name := range a.resources(func(k resource.Kind) bool { return k == resource.KindEnvironment }) {
		_, name, _ = strings.Cut(name, "/")
		names = append(names, name)
	}
	return offer(names)
}

func (a *app) completeOutputs(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return offer(outputsFor(c))
}

func (a *app) completeRuns(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if len(args) > 0 {
		return offer(nil)
	}
	_ = a.reading(background(c), func(ctx context.Context, s store.Store) error {
		runs, err := s.ListRuns(ctx, store.RunFilter{})
		for _, r := range runs {
			ids = append(ids, r.RunID+"\t"+r.Workflow+" "+string(r.Status))
		}
		return err
	})
	return offer(ids)
}

func (a *app) completeApprovals(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if len(args) > 0 {
		return offer(nil)
	}
	_ = a.reading(background(c), func(ctx context.Context, s store.Store) error {
		open, err := s.ListApprovals(ctx, store.ApprovalFilter{Status: store.ApprovalOpen})
		for _, r := range open {
			ids = append(ids, r.ID+"\t"+render.Subject(r))
		}
		return err
	})
	return offer(ids)
}

// background is the command's context, which completion may lack.
func background(c *cobra.Command) context.Context {
	if ctx := c.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}
