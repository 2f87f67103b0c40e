package upstreammessages

import (
	"slices"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

// values are what may stand in a log where a text has a verb: one for each form that a placeholder of the page asks
// for. None of them finds a row by itself.
var values = []string{"web", "Pod", "42", "apps/v1, Kind=Deployment", "/, Kind=",
	"apps/v1, Resource=deployments"}

// fixedValues are what a verb makes of any value.
var fixedValues = map[byte]string{'q': `"web"`, 'd': "42", 'T': "*v1.ConfigMap", 'x': "1f", 't': "true", 'f': "1.5",
	'p': "0xc000012345", 'c': "x", 'e': "1e+06", 'g': "1.5", 'U': "U+0041", 'b': "101", 'X': "1F"}

// varied is how many verbs of a text take each value beside each value of the others; the rest take one.
const varied = 3

// log gives a log in which the message stands in each of its forms, a line each.
func (m Message) log() string {
	var lines strings.Builder
	for _, text := range m.examples() {
		lines.WriteString("E1124 00:01:02.123456       1 some.go:12] ")
		if !m.Logged {
			lines.WriteString(`"It failed" err=`)
		}
		lines.WriteString(strconv.Quote(text) + "\n")
	}
	return lines.String()
}

// examples gives the message with values in the place of its verbs.
func (m Message) examples() []string {
	parts, verbs := []string{}, []byte{}
	rest := m.Text
	for {
		at := verb.FindStringIndex(rest)
		if at == nil {
			break
		}
		parts = append(parts, rest[:at[0]])
		verbs = append(verbs, rest[at[1]-1])
		rest = rest[at[1]:]
	}
	texts := []string{""}
	open := 0
	for i, v := range verbs {
		stands := values[:1]
		switch value, ok := fixedValues[v]; {
		case v == '%':
			stands = []string{"%"}
		case ok:
			stands = []string{value}
		case open < varied:
			open++
			stands = values
		}
		var longer []string
		for _, text := range texts {
			for _, value := range stands {
				longer = append(longer, text+parts[i]+value)
			}
		}
		texts = longer
	}
	for i := range texts {
		texts[i] += rest
	}
	return texts
}

// search looks for rows in a log with the messages.
func search(rows []symptoms.Row, messages ...Message) ([]symptoms.Found, error) {
	var log strings.Builder
	for _, m := range messages {
		log.WriteString(m.log())
	}
	found, _, err := symptoms.Search(rows, strings.NewReader(log.String()))
	return found, err
}

// together is how many messages are looked for at once where none of them should find a row.
const together = 32

// leads gives the row that a log with a message leads to first. It gives none where there is none, or only one of a
// word or two, which other messages have as well. The messages that are expected to lead nowhere are looked for
// together, and one by one only if any of them finds something.
func leads(rows []symptoms.Row, messages []Message, somewhere func(Message) bool) (map[Message]*symptoms.Row, error) {
	var single, nowhere []Message
	for _, m := range messages {
		if somewhere(m) {
			single = append(single, m)
		} else {
			nowhere = append(nowhere, m)
		}
	}
	for some := range slices.Chunk(nowhere, together) {
		found, err := search(rows, some...)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(found, func(f symptoms.Found) bool { return !f.Weak() }) {
			single = append(single, some...)
		}
	}
	all := map[Message]*symptoms.Row{}
	for _, m := range single {
		found, err := search(rows, m)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 && !found[0].Weak() {
			all[m] = found[0].Row
		}
	}
	return all, nil
}
