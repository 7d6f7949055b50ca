package ir

import "strconv"

// Block is one list of nodes that another node holds.
type Block struct {
	// Segment stands between the call site of the holder and those of Nodes: then
	// or else, the number of a branch, the name of a task. The body of a loop has none.
	Segment string
	Nodes   []Node
}

// Prefix is what stands before the sites of the block's nodes, given the call
// site of the holder.
func (b Block) Prefix(site string) string {
	if b.Segment == "" {
		return site + "/"
	}
	return site + "/" + b.Segment + "/"
}

// Blocks lists what a node holds, in source order; nil for a node that holds none.
func Blocks(n Node) []Block {
	switch n := n.(type) {
	case If:
		return []Block{{"then", n.Then}, {"else", n.Else}}
	case For:
		return []Block{{"", n.Body}}
	case While:
		return []Block{{"", n.Body}}
	case Retry:
		return []Block{{"", n.Body}}
	case Fork:
		out := make([]Block, len(n.Branches))
		for i, nodes := range n.Branches {
			out[i] = Block{strconv.Itoa(i), nodes}
		}
		return out
	case Graph:
		out := make([]Block, len(n.Tasks))
		for i, t := range n.Tasks {
			out[i] = Block{t.Name, t.Body}
		}
		return out
	default:
		return nil
	}
}
