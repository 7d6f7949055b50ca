package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/cmd/internal/render"
	"terfyn/compiler"
	"terfyn/compiler/effects"
	"terfyn/compiler/ir"
	"terfyn/internal/canon"
	"terfyn/planner/diff"
)

func newCompile(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "compile [workflow/NAME]",
		Short: "Show the execution program of workflows with its digest, call sites and effect bound",
		Long: `Show the execution program of workflows with its digest, call sites and effect bound.

The program is what a run interprets and what a deployment snapshot pins. Without
-o the output is JSON; -o table lists call sites and effects. Secrets written as
literals are masked, so the digest is not that of the masked text.`,
		Args:              arguments(0, 1, "one workflow"),
		ValidArgsFunction: a.completeWorkflows,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("output") {
				a.flags.output = compileOutput{}.String()
			}
			name := ""
			if len(args) == 1 {
				kind, only, err := target(args[0])
				if err != nil {
					return err
				}
				if !strings.EqualFold(kind, "workflow") {
					return usagef("only workflows have a program, and %s is no workflow; write workflow/NAME", args[0])
				}
				name = only
			}
			return a.compiled(name)
		},
	}
	c.Flags().VarP(compileOutput{&a.flags.output}, "output", "o", "output: json, yaml or table")
	_ = c.RegisterFlagCompletionFunc("output", a.completeOutputs)
	return c
}

// compileOutput is the output flag with the default that holds for compile alone.
type compileOutput struct{ chosen *string }

// String is the default, as the help shows it.
func (compileOutput) String() string { return "json" }

// Type names the kind of value in the help.
func (compileOutput) Type() string { return "string" }

// Set takes what was written.
func (o compileOutput) Set(s string) error {
	*o.chosen = s
	return nil
}

func (a *app) compiled(name string) error {
	r, err := a.checked(false)
	if err != nil {
		return err
	}
	programs, names := []program{}, []string{}
	for _, p := range r.Programs {
		names = append(names, p.Workflow)
		if name == "" || p.Workflow == name {
			programs = append(programs, programOf(r, p))
		}
	}
	if name != "" && len(programs) == 0 {
		return usagef("the project has no workflow %s; %sit has %s", name, meant(name, names), listed(names))
	}
	shown, hidden := make([]canon.Value, len(programs)), false
	for i, p := range programs {
		encoded := ir.EncodeProgram(p.Program)
		safe := diff.MaskProgram(encoded)
		hidden = hidden || !canon.Equal(safe, encoded)
		shown[i] = p.value(safe)
	}
	if hidden {
		a.warn("masked", "literal_secret", "%s", maskNote)
	}
	return a.show(func(w io.Writer) {
		for i, p := range programs {
			if i > 0 {
				say(w, "")
			}
			p.text(w, a.palette(w))
		}
	}, str("project", r.Graph.Project), str("executionIrDigest", string(canon.Sum(ir.EncodeSet(r.Programs)))), canon.F("masked", canon.Bool(hidden)), canon.F("programs", canon.List(shown...)))
}

// listed is a list of names for a message.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// program is one compiled workflow as it is shown.
type program struct {
	ir.Program
	sites []callSite
	bound effects.Bound
}

// callSite is a node that leaves the program: a call, or a question to a person.
type callSite struct {
	site, kind, callee string
	file               string // "" where the source is not known
	line, column       int
}

func (s callSite) place() string {
	if s.file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", s.file, s.line, s.column)
}

func programOf(r *compiler.Result, p ir.Program) program {
	bound, _ := r.Bounds.Workflow(p.Workflow)
	out := program{Program: p, bound: bound}
	var walk func(prefix string, nodes []ir.Node)
	walk = func(prefix string, nodes []ir.Node) {
		for _, n := range nodes {
			site := prefix + n.Site()
			if kind, callee := leaves(n); kind != "" {
				at := r.Positions[p.Workflow][site]
				out.sites = append(out.sites, callSite{site, kind, callee, at.File, at.Start.Line, at.Start.Col})
			}
			for _, b := range ir.Blocks(n) {
				walk(b.Prefix(site), b.Nodes)
			}
		}
	}
	walk("", p.Body)
	return out
}

func leaves(n ir.Node) (kind, callee string) {
	switch n := n.(type) {
	case ir.Tool:
		return "tool", n.Tool + "." + n.Operation
	case ir.Agent:
		return "agent", n.Agent
	case ir.Workflow:
		return "workflow", n.Workflow
	case ir.Approval:
		return "approval", n.Bind
	}
	return "", ""
}

// value is the document of a program; shown is its serialised form without secrets.
func (p program) value(shown canon.Value) canon.Value {
	params := make([]canon.Value, len(p.Params))
	for i, prm := range p.Params {
		params[i] = canon.Object(str("name", prm.Name), str("schema", prm.Schema))
	}
	sites := make([]canon.Value, len(p.sites))
	for i, s := range p.sites {
		fields := []canon.Field{str("site", s.site), str("kind", s.kind), str("callee", s.callee)}
		if s.file != "" {
			fields = append(fields, str("file", s.file), canon.F("line", canon.Int(int64(s.line))), canon.F("column", canon.Int(int64(s.column))))
		}
		sites[i] = canon.Object(fields...)
	}
	return canon.Object(
		str("workflow", p.Workflow), str("digest", string(p.Digest())), canon.F("parameters", canon.List(params...)), str("result", p.Result),
		canon.F("callSites", canon.List(sites...)), canon.F("bound", boundValue(p.bound)), canon.F("program", shown),
	)
}

// boundValue is a bound as documents show it; its lists are never null.
func boundValue(b effects.Bound) canon.Value {
	raw, err := json.Marshal(b)
	if err != nil {
		panic("cli: a bound of plain fields cannot be encoded: " + err.Error())
	}
	v, err := canon.Parse(raw)
	if err != nil {
		panic("cli: an encoded bound is not JSON: " + err.Error())
	}
	for _, name := range []string{"effects", "operations", "unknown", "unreachable"} {
		if v.At(name).IsNull() {
			v = v.With(name, canon.List())
		}
	}
	return v
}

func (p program) text(w io.Writer, c render.Palette) {
	say(w, "%s  %s", c.Strong("workflow "+p.Workflow), p.Digest())
	for _, prm := range p.Params {
		say(w, "  parameter %s: %s", prm.Name, render.Cell(prm.Schema))
	}
	if p.Result != "" {
		say(w, "  result: %s", p.Result)
	}
	rows := make([][]string, len(p.sites))
	for i, s := range p.sites {
		rows[i] = []string{s.site, s.kind, s.callee, s.place()}
	}
	if len(rows) > 0 {
		render.Table(w, []string{"SITE", "KIND", "CALLEE", "AT"}, rows)
	}
	render.BoundLines(w, p.bound, c)
}
