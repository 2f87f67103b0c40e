package symptoms

import "strings"

// Example is a log in which the message stands, with what fill gives for each placeholder; a status, as an access log
// has it.
func (m *Message) Example(fill func(placeholder string) string) string {
	log := m.first.example(fill)
	if statusCode.MatchString(log) {
		log = "resp=" + log
	}
	for _, group := range m.with {
		log += " " + group[len(group)-1].example(fill)
	}
	for _, p := range m.elsewhere {
		log += "\n" + p.example(fill)
	}
	return log
}

func (p *piece) example(fill func(string) string) string {
	var out strings.Builder
	for _, t := range p.tokens {
		if t.stands == "" {
			out.WriteString(t.text)
		} else {
			out.WriteString(fill(strings.Trim(t.text, "<>")))
		}
	}
	return out.String()
}

// Same says whether two messages are one, on two rows.
func (m *Message) Same(other *Message) bool { return m.first.text == other.first.text }

// OneLine says whether the message has no conditions, and more than a word or two.
func (m *Message) OneLine() bool { return !m.Weak() && len(m.pieces()) == 1 }
