// Package ordered owns the one audited range over a map: everything else that
// needs a map's contents where order can be seen goes through here. It leaves
// out ordered map types; canon.Value is the ordered object.
package ordered

import (
	"cmp"
	"slices"
)

// Keys returns the keys of m in ascending order.
func Keys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m { //workflowcheck:ignore the keys are sorted before they are returned
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
