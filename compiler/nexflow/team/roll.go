package team

import "terfyn/compiler/nexflow/manifest"

// Roll knows which of many lists name whom. Ids that the same lists name are one
// class: a set may have lists of very many ids, but what holds of one of a class
// holds of all.
type Roll struct {
	classes map[string]int
	numbers []Numbers // by class
}

// Unlisted is the class of ids that no list names.
const Unlisted = -1

// NewRoll reads lists, which are numbered from zero.
func NewRoll(lists []manifest.Node) *Roll {
	on := map[string][]int32{}
	var ids []string
	for i, list := range lists {
		for _, id := range list.Texts() {
			at := on[id]
			if at == nil {
				ids = append(ids, id)
			}
			if len(at) == 0 || at[len(at)-1] != int32(i) {
				on[id] = append(at, int32(i))
			}
		}
	}
	r := &Roll{classes: make(map[string]int, len(ids))}
	known := map[string]int{}
	var key []byte
	for _, id := range ids {
		key = key[:0]
		for _, i := range on[id] {
			key = append(key, byte(i), byte(i>>8), byte(i>>16), byte(i>>24))
		}
		class, seen := known[string(key)]
		if !seen {
			class = len(r.numbers)
			known[string(key)] = class
			r.numbers = append(r.numbers, newNumbers(on[id], len(lists)))
		}
		r.classes[id] = class
	}
	return r
}

// Class is the class of an id.
func (r *Roll) Class(id string) int {
	if class, listed := r.classes[id]; listed {
		return class
	}
	return Unlisted
}

// Numbers is the lists that name the ids of a class.
func (r *Roll) Numbers(class int) Numbers {
	if class == Unlisted {
		return Numbers{}
	}
	return r.numbers[class]
}

// Of is the lists that name an id.
func (r *Roll) Of(id string) Numbers { return r.Numbers(r.Class(id)) }
