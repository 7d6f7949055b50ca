package ir

// FormatVersion is the version of the serialised form this package writes and reads.
const FormatVersion = 1

// MaxLimit is the largest round limit a loop may carry.
const MaxLimit = 1<<31 - 1

// WholeArg is the name of the single argument of a whole-document call. A named
// argument of that spelling without the flag stays an ordinary field.
const WholeArg = "arg0"

// Program is the executable form of one workflow.
type Program struct {
	Workflow string
	Params   []Param
	// Result is the schema reference of the declared result type, "" when none.
	Result string
	// Envelope: at least one return is not an object literal, so every returned
	// value is wrapped as {"value": …} (language.md 14.2).
	Envelope bool
	Body     []Node
}

// Param is one workflow parameter.
type Param struct {
	Name string
	// Schema is the project-relative path of its JSON Schema, "" when untyped.
	Schema string
}

// Node is one statement of a program.
//
//sumtype:decl
type Node interface {
	// Site is the node's segment of the call site, unique among its siblings.
	Site() string
	node()
}

// Let binds a value.
type Let struct {
	ID   string
	Name string
	Expr Expr
}

// Agent runs an agent step.
type Agent struct {
	ID    string
	Agent string
	// Args is the payload: an object expression, or with WholeDocument exactly
	// one argument whose value is the document itself.
	Args          []Arg
	WholeDocument bool
	Bind          string // "" drops the result
}

// Tool makes one tool call.
type Tool struct {
	ID        string
	Tool      string
	Operation string
	Args      []Arg
	Bind      string
}

// Workflow runs a nested program in the same run.
type Workflow struct {
	ID            string
	Workflow      string
	Args          []Arg
	WholeDocument bool
	// ProjectValue takes the "value" member out of an enveloped callee's document.
	ProjectValue bool
	Bind         string
}

// Approval stops for a human decision on a payload.
type Approval struct {
	ID          string
	Description string
	RedactKeys  []string
	With        []Arg
	Bind        string
}

// If runs one of two arms.
type If struct {
	ID   string
	Cond Cond
	Then []Node
	Else []Node
}

// For runs its body once for each element.
type For struct {
	ID       string
	Var      string
	In       Expr
	Parallel bool
	Body     []Node
}

// While tests before each round; using up Limit rounds is no error.
type While struct {
	ID    string
	Cond  Cond
	Limit int
	Body  []Node
}

// Retry tests after each round; using up Limit rounds fails the run.
type Retry struct {
	ID    string
	Until Cond
	Limit int
	Body  []Node
}

// Fork runs branches concurrently and joins them.
type Fork struct {
	ID       string
	Branches [][]Node
}

// Graph runs tasks as their needs are met.
type Graph struct {
	ID    string
	Tasks []Task
}

// Task is one node of a Graph.
type Task struct {
	Name  string
	Needs []string
	Body  []Node
}

// Return ends the program.
type Return struct {
	ID   string
	Expr Expr
}

// Arg is one named value of a call, in source order.
type Arg struct {
	Name string
	Expr Expr
}

func (n Let) Site() string      { return n.ID }
func (n Agent) Site() string    { return n.ID }
func (n Tool) Site() string     { return n.ID }
func (n Workflow) Site() string { return n.ID }
func (n Approval) Site() string { return n.ID }
func (n If) Site() string       { return n.ID }
func (n For) Site() string      { return n.ID }
func (n While) Site() string    { return n.ID }
func (n Retry) Site() string    { return n.ID }
func (n Fork) Site() string     { return n.ID }
func (n Graph) Site() string    { return n.ID }
func (n Return) Site() string   { return n.ID }

func (Let) node()      {}
func (Agent) node()    {}
func (Tool) node()     {}
func (Workflow) node() {}
func (Approval) node() {}
func (If) node()       {}
func (For) node()      {}
func (While) node()    {}
func (Retry) node()    {}
func (Fork) node()     {}
func (Graph) node()    {}
func (Return) node()   {}
