package symptoms

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
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

// A Name is what people call what a row is about.
type Name struct {
	Words string
	// Place is that of the row among those that are called so: the first is 0.
	Place int
	stems []string
}

// What a word weighs: in a row's explanation or its command, in its symptom, in what people call it, in a fault's name.
const (
	inText    = 1
	inSymptom = 2
	inName    = 3
	inFault   = 6
)

// ByWords gives the rows in which the words stand, whatever their case and ending: in the symptom, in what people call
// it, in the explanation, or in the name of the fault or the test that reproduces it. A word weighs more the fewer rows
// have it, and the row with the most weight is first. every says that it has all of the words.
func ByWords(rows []Row, text string) (matches []Match, every bool) {
	words := slices.DeleteFunc(wordsOf(text), func(w string) bool { return len(w) < 2 || idle[w] })
	words = stems(words)
	slices.Sort(words)
	words = slices.Compact(words)
	matches = make([]Match, len(rows))
	found := make([]map[string]float64, len(rows)) // by word: what it weighs there
	count := map[string]int{}                      // of rows with the word
	for i := range rows {
		matches[i].Row = &rows[i]
		found[i] = rows[i].weigh(words)
		for w := range found[i] {
			count[w]++
		}
	}
	for i := range matches {
		for _, w := range words { // in this order, so that a sum is the same each time
			if weight := found[i][w]; weight > 0 {
				matches[i].Words++
				matches[i].weight += weight * math.Log(float64(len(rows)+1)/float64(count[w]))
			}
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.Words, a.Words))
	})
	if len(rows) == 0 || matches[0].Words == 0 || 3*matches[0].Words < len(words) {
		return nil, false
	}
	least := matches[0].weight / 2
	matches = slices.DeleteFunc(matches, func(m Match) bool { return m.weight < least })
	return matches, matches[0].Words == len(words)
}

// A said is words of a row, and what each of them weighs.
type said struct {
	words  []string
	weight float64
}

// saidOf is what a row says in its three columns.
func saidOf(r *Row) []said {
	return []said{
		{wordsOf(r.Section + " " + r.Happened + " " + strings.Join(typed.FindAllString(r.Where, -1), " ")), inText},
		{wordsOf(r.Symptom), inSymptom},
	}
}

// weigh says which of the words, without their endings, the row has, and what each weighs there.
func (r *Row) weigh(words []string) map[string]float64 {
	found := map[string]float64{}
	of := func(s said) {
		for _, w := range words {
			if begins(s.words, w) {
				found[w] += s.weight
			}
		}
	}
	for _, s := range r.said {
		of(s)
	}
	for _, name := range r.Called {
		if all(words, name.stems) {
			of(said{name.stems, inName - float64(name.Place)/10})
		}
	}
	for _, fault := range faults.FindAllStringSubmatch(r.Where, -1) {
		// Nothing but the name: many names are everyday words.
		if name := stems(wordsOf("fault " + fault[1])); all(words, name[1:]) && all(name, words) {
			of(said{name, inFault})
		}
	}
	return found
}

// all says whether each word of a name is there.
func all(words, name []string) bool {
	return !slices.ContainsFunc(name, func(n string) bool {
		return len(n) > 1 && !idle[n] && !slices.Contains(words, n)
	})
}

var faults = regexp.MustCompile(`-fault ([a-z0-9-]+)`)

// idle are words that stand in every other row and say nothing of it.
var idle = map[string]bool{"the": true, "is": true, "of": true, "to": true, "in": true, "it": true, "and": true,
	"my": true, "an": true, "are": true, "was": true, "why": true, "for": true, "that": true, "does": true, "on": true,
	"go": true, "run": true, "chapters": true, "or": true, "its": true, "this": true, "with": true, "be": true}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// begins says whether one of the words begins with w: who types "conflict" also means conflicts.
func begins(words []string, w string) bool {
	return slices.ContainsFunc(words, func(have string) bool { return strings.HasPrefix(have, w) })
}

// stems takes an ending off each long word: who types "throttled" also means throttling.
func stems(words []string) []string {
	var all []string
	for _, w := range words {
		for _, ending := range []string{"ing", "ed", "es", "s", "e"} {
			short, ok := strings.CutSuffix(w, ending)
			if ok && len(short) > 3 && (ending != "s" || !strings.HasSuffix(short, "s")) {
				w = short
				break
			}
		}
		all = append(all, w)
	}
	return all
}

// unquoted is a text without its backticks, so that half a message can be quoted.
func unquoted(text string) string { return strings.ReplaceAll(text, "`", "") }

// called is the list of what people call what rows are about: `- words, other words: the beginning of a row`.
// Beginnings have dots between them.
const called = "What people call it"

// name gives the rows that a line of that list is about their names.
func name(rows []Row, line string) error {
	names, begins, ok := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
	if !ok {
		return fmt.Errorf("%q says not of which rows: it has words with commas, a colon, and the beginnings of rows "+
			"with dots between them", line)
	}
	for place, begin := range strings.Split(begins, " · ") {
		found := false
		for i := range rows {
			if strings.HasPrefix(unquoted(rows[i].Symptom), unquoted(begin)) {
				found = true
				for words := range strings.SplitSeq(names, ", ") {
					rows[i].Called = append(rows[i].Called, Name{words, place, stems(wordsOf(words))})
				}
			}
		}
		if !found {
			return fmt.Errorf("no row begins with %q", begin)
		}
	}
	return nil
}
