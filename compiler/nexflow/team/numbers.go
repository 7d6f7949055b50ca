package team

import (
	"iter"
	"math/bits"
	"slices"
)

// Numbers is a set of numbers of lists. A large one has its bits beside it, so that
// comparing two sets takes at most about one step for 64 lists. The zero Numbers is
// empty.
type Numbers struct {
	rising []int32
	bits   Bits // nil for a set so small that its numbers are fewer than the words
}

// Bits is a set of numbers as a row of bits.
type Bits []uint64

// NewBits is an empty set for numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has reports whether i is in the set.
func (b Bits) Has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// Add puts i into the set.
func (b Bits) Add(i int) { b[i/64] |= 1 << (i % 64) }

// Remove takes i out of the set.
func (b Bits) Remove(i int) { b[i/64] &^= 1 << (i % 64) }

// All is the numbers in the set, rising.
func (b Bits) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, word := range b {
			for ; word != 0; word &= word - 1 {
				if !yield(w*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

func newNumbers(rising []int32, lists int) Numbers {
	n := Numbers{rising: rising}
	if words := (lists + 63) / 64; len(rising) >= words {
		n.bits = NewBits(lists)
		for _, i := range rising {
			n.bits.Add(int(i))
		}
	}
	return n
}

// Has reports whether i is in the set.
func (n Numbers) Has(i int) bool {
	if n.bits != nil {
		return n.bits.Has(i)
	}
	_, found := slices.BinarySearch(n.rising, int32(i))
	return found
}

// AddTo puts all numbers into a set of bits. It takes Size steps.
func (n Numbers) AddTo(b Bits) {
	for w, word := range n.bits {
		b[w] |= word
	}
	if n.bits == nil {
		for _, i := range n.rising {
			b.Add(int(i))
		}
	}
}

// Size is how many steps it takes to go through the set.
func (n Numbers) Size() int {
	if n.bits != nil {
		return len(n.bits)
	}
	return len(n.rising)
}

// Common is the numbers that both sets of one roll, or of two about the same lists,
// have, rising. Finding them takes about as many steps as the smaller Size, and one
// for each number that is found.
func (n Numbers) Common(o Numbers) iter.Seq[int] { return n.CommonAmong(o, nil) }

// CommonAmong is the numbers of Common that are among some bits too; nil bits are
// all.
func (n Numbers) CommonAmong(o Numbers, among Bits) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n.bits == nil || o.bits == nil {
			commonOfFew(n, o, among, yield)
			return
		}
		for w, word := range n.bits {
			if word &= o.bits[w]; among != nil {
				word &= among[w]
			}
			for ; word != 0; word &= word - 1 {
				if !yield(w*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

func commonOfFew(few, many Numbers, among Bits, yield func(int) bool) {
	if few.bits != nil || many.bits == nil && len(few.rising) > len(many.rising) {
		few, many = many, few
	}
	for _, i := range few.rising {
		if (among == nil || among.Has(int(i))) && many.Has(int(i)) && !yield(int(i)) {
			return
		}
	}
}

// First is the smallest number that both sets have.
func (n Numbers) First(o Numbers) (i int, ok bool) {
	for i := range n.Common(o) {
		return i, true
	}
	return 0, false
}

// Meets reports whether a number of the set is among some bits. It takes Size
// steps.
func (n Numbers) Meets(b Bits) bool {
	for w, word := range n.bits {
		if word&b[w] != 0 {
			return true
		}
	}
	return n.bits == nil && slices.ContainsFunc(n.rising, func(i int32) bool { return b.Has(int(i)) })
}

// CutFrom takes out all numbers from i on and says how many there were.
func (b Bits) CutFrom(i int) int {
	n := 0
	for w := i / 64; w < len(b); w++ {
		cut := b[w]
		if w == i/64 {
			cut &= ^uint64(0) << (i % 64)
		}
		n += bits.OnesCount64(cut)
		b[w] &^= cut
	}
	return n
}
