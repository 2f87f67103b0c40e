package symptoms

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// A Match is a row in which words stand that somebody typed.
type Match struct {
	Row    *Row
	Words  int // how many of them
	weight float64
}

// ByWords gives the rows in whose symptom or explanation the words stand, whatever their case: those with most of them
// first, and among these those that have them in the symptom. all says that the first has every word.
func ByWords(rows []Row, text string) (matches []Match, all bool) {
	words := slices.DeleteFunc(wordsOf(text), func(w string) bool { return len(w) < 2 || idle[w] })
	slices.Sort(words)
	words = slices.Compact(words)
	symptom, happened := make([][]string, len(rows)), make([][]string, len(rows))
	for i, r := range rows {
		symptom[i], happened[i] = wordsOf(r.Symptom), wordsOf(r.Section+" "+r.Happened)
	}
	found := make([]Match, len(rows))
	for _, w := range words {
		n := 0
		for i := range rows {
			if begins(symptom[i], w) || begins(happened[i], w) {
				n++
			}
		}
		rare := math.Log(float64(len(rows)+1) / float64(n+1))
		for i := range rows {
			switch {
			case begins(symptom[i], w):
				found[i].weight += 2 * rare
				found[i].Words++
			case begins(happened[i], w):
				found[i].weight += rare
				found[i].Words++
			}
		}
	}
	for i := range rows {
		found[i].Row = &rows[i]
	}
	found = slices.DeleteFunc(found, func(m Match) bool { return m.Words == 0 || 2*m.Words < len(words) })
	slices.SortStableFunc(found, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), cmp.Compare(b.weight, a.weight))
	})
	if len(found) > 0 && found[0].Words == len(words) {
		found = slices.DeleteFunc(found, func(m Match) bool { return m.Words < len(words) })
		return found, true
	}
	return found, false
}

// idle are words that stand in every other row and say nothing of it.
var idle = map[string]bool{"the": true, "is": true, "of": true, "to": true, "in": true, "it": true, "and": true,
	"my": true, "an": true, "are": true, "was": true, "why": true, "for": true, "that": true, "does": true, "on": true}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// begins says whether one of the words begins with w: who types "conflict" also means conflicts.
func begins(words []string, w string) bool {
	return slices.ContainsFunc(words, func(have string) bool { return strings.HasPrefix(have, w) })
}
