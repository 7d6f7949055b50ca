package schema

import (
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/internal/ordered"
)

// MaxFaulty is how many faulty elements of lists (and members of the hints) are
// looked into in one document. A file of a mebibyte has room for half a million,
// which would cost seconds and hundreds of megabytes only to be cut off later.
const MaxFaulty = 1000

// quota limits the work that faults cause. It takes the place of two keywords in
// the compiled schemas: items, to stop when the quota is used up; and properties
// with additionalProperties, to visit members by name, because the library visits
// them in the order of a map and the quota would end at another place every time.
type quota struct{ left int }

func (q *quota) spend()      { q.left-- }
func (q *quota) spent() bool { return q.left <= 0 }

// bound puts the quota into s and everything it reaches. A schema that was visited
// has extensions instead of the keywords, so that the walk ends.
func (q *quota) bound(s *jsonschema.Schema) {
	q.visit(s, map[*jsonschema.Schema]bool{})
}

func (q *quota) visit(s *jsonschema.Schema, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	others, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for _, part := range []*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else, s.Items2020, s.Contains, others} {
		q.visit(part, seen)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, part := range list {
			q.visit(part, seen)
		}
	}
	for _, name := range ordered.Keys(s.DependentSchemas) {
		q.visit(s.DependentSchemas[name], seen)
	}
	for _, name := range ordered.Keys(s.Properties) {
		q.visit(s.Properties[name], seen)
	}
	q.replace(s, others)
}

func (q *quota) replace(s *jsonschema.Schema, others *jsonschema.Schema) {
	added := map[string]jsonschema.ExtSchema{}
	if s.Items2020 != nil {
		added["items"] = elements{schema: s.Items2020, quota: q}
		s.Items2020 = nil
	}
	if len(s.Properties) > 0 || s.AdditionalProperties != nil {
		allowed, isBool := s.AdditionalProperties.(bool)
		added["properties"] = members{
			names: ordered.Keys(s.Properties), schemas: s.Properties,
			closed: isBool && !allowed, others: others, quota: q,
		}
		s.Properties, s.AdditionalProperties = nil, nil
	}
	if len(added) > 0 {
		s.Extensions = added
	}
}

// elements is the keyword items with a quota.
type elements struct {
	schema *jsonschema.Schema
	quota  *quota
}

// Validate checks the elements of a list until the quota is used up.
func (e elements) Validate(ctx jsonschema.ValidationContext, v any) error {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	var faults group
	for i, item := range list {
		if e.quota.spent() {
			break
		}
		if faults.add(ctx.Validate(e.schema, "items", item, strconv.Itoa(i))) {
			e.quota.spend()
		}
	}
	return faults.err()
}

// members is the keywords properties and additionalProperties in the order of names.
type members struct {
	names   []string
	schemas map[string]*jsonschema.Schema
	closed  bool
	others  *jsonschema.Schema
	quota   *quota
}

// Validate checks the members of an object: those that are known, then the others.
func (m members) Validate(ctx jsonschema.ValidationContext, v any) error {
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	var faults group
	known := 0
	for _, name := range m.names {
		if value, present := object[name]; present {
			known++
			faults.add(ctx.Validate(m.schemas[name], "properties/"+name, value, name))
		}
	}
	switch {
	case known == len(object): // nothing else is there
	case m.closed:
		faults.add(ctx.Error("additionalProperties", "unknown members"))
	case m.others != nil:
		m.checkOthers(ctx, object, &faults)
	}
	return faults.err()
}

func (m members) checkOthers(ctx jsonschema.ValidationContext, object map[string]any, faults *group) {
	for _, name := range ordered.Keys(object) {
		if m.quota.spent() {
			return
		}
		if _, known := m.schemas[name]; known {
			continue
		}
		if faults.add(m.checkOther(ctx, name, object[name])) {
			m.quota.spend()
		}
	}
}

// checkOther checks one member that the schema does not name. For the library an
// empty name means the object itself, so that member is checked on its own.
func (m members) checkOther(ctx jsonschema.ValidationContext, name string, value any) error {
	if name != "" {
		return ctx.Validate(m.others, "additionalProperties", value, token(name))
	}
	err := m.others.Validate(value)
	if fault, ok := err.(*jsonschema.ValidationError); ok {
		place(fault, ctx.Error("additionalProperties", "").InstanceLocation+"/")
	}
	return err
}

func place(fault *jsonschema.ValidationError, at string) {
	fault.InstanceLocation = at + fault.InstanceLocation
	for _, cause := range fault.Causes {
		place(cause, at)
	}
}

// group collects faults as the library does: without a message of its own, several
// are only held together.
type group struct{ causes []*jsonschema.ValidationError }

func (g *group) add(err error) bool {
	if err == nil {
		return false
	}
	fault, ok := err.(*jsonschema.ValidationError)
	if !ok {
		panic("schema: the library reports a fault of an unknown type")
	}
	g.causes = append(g.causes, fault)
	return true
}

func (g *group) err() error {
	switch len(g.causes) {
	case 0:
		return nil
	case 1:
		return g.causes[0]
	}
	return &jsonschema.ValidationError{Causes: g.causes}
}
