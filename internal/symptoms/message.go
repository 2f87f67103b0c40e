package symptoms

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Message is something to look for in a log.
type Message struct {
	Text  string // as the page has it, with what it says around the quotation
	first *piece
	// any are pieces of which one stands on the same line, or below it: `A` with `B` or `C`.
	any []*piece
	// not are pieces of which none does: `A` without `B`.
	not []*piece
	// answered are pieces that are logged for each first piece when all is well: `A`, and no `B`.
	answered []*piece
	// elsewhere are pieces that all stand somewhere in the log, mostly in a stack.
	elsewhere []*piece
}

// A piece is one quotation.
type piece struct {
	text   string // as quoted
	anchor string // the longest part of it that does not vary
	form   *regexp.Regexp
	// telling is the number of letters and digits that do not vary: how unlikely it is that it stands there by chance.
	telling int
	words   int
}

// Telling says how unlikely it is that the message stands in a log by chance.
func (m *Message) Telling() int {
	n := m.first.telling
	longest := 0
	for _, p := range m.any {
		longest = max(longest, p.telling)
	}
	for _, p := range m.elsewhere {
		n += p.telling
	}
	return n + longest
}

// Weak says that the message is a word or two that other programs print as well.
func (m *Message) Weak() bool {
	return (m.first.telling < 10 || m.first.words < 2 && m.first.telling < 15) &&
		len(m.any) == 0 && len(m.elsewhere) == 0
}

func (m *Message) pieces() []*piece {
	all := append([]*piece{m.first}, m.any...)
	return slices.Concat(all, m.not, m.answered, m.elsewhere)
}

var (
	// lead is what may stand before a quotation that is a message: `of Events:`, `401`, `*older:*`.
	lead      = regexp.MustCompile("^(?:[^`]*:\\*?|in the server's log|[0-9]{3}|\\*older, of the same:\\*) *`|^`")
	verbosity = regexp.MustCompile("^from `-v=[0-9]` on: ")
	// stack says that what is quoted stands in a stack, so on other lines than the message.
	stack = regexp.MustCompile("in the stack|` below `")
	// A metric has its name in each scrape, and what tells is its value.
	metric = regexp.MustCompile(`^[a-z]+(?:_[a-z]+)+$`)
)

// messagesOf takes the first column of a row apart. What has no quotation, or is a sentence with one in its middle, is
// for people who search by words.
func messagesOf(symptom string) ([]*Message, error) {
	var all []*Message
	for part := range strings.SplitSeq(symptom, " · ") {
		part = verbosity.ReplaceAllString(strings.TrimSpace(part), "")
		found := spans.FindAllStringSubmatchIndex(part, -1)
		inStack := stack.MatchString(part)
		if len(found) == 0 || !lead.MatchString(part) && !inStack {
			continue
		}
		joint := &Message{Text: part}
		all = append(all, joint)
		how := ""
		for i, at := range found {
			quoted := part[at[2]:at[3]]
			p, err := compile(quoted)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				how = joined(part[found[i-1][1]:at[0]], how)
			}
			switch {
			case p == nil: // a flag, a metric: nothing that a log is searched for
			case joint.first == nil:
				joint.first = p
			case inStack:
				joint.elsewhere = append(joint.elsewhere, p)
			case how == "with":
				joint.any = append(joint.any, p)
			case how == "no":
				joint.answered = append(joint.answered, p)
			case how == "without":
				joint.not = append(joint.not, p)
			case how == "for", how == "or" && p.words < 2: // said of the first one, and common
			default:
				all = append(all, &Message{Text: "`" + quoted + "`", first: p})
			}
		}
		if joint.first == nil {
			all = all[:len(all)-1]
			continue
		}
		if len(joint.any)+len(joint.not)+len(joint.answered)+len(joint.elsewhere) == 0 {
			joint.Text = alone(part, len(found))
		}
	}
	return all, nil
}

// joined says how a quotation belongs to the one before it: the words between them, or else as that one did.
func joined(between, how string) string {
	for _, word := range strings.Fields(between) {
		switch word = strings.Trim(word, ",:"); word {
		case "with", "without", "for", "no":
			return word
		case "or":
			return cmp.Or(how, word)
		case "*older*":
			return ""
		}
	}
	return how
}

// alone is a part with one message in it, whole; of one with several, the first quotation.
func alone(part string, quotations int) string {
	if quotations == 1 {
		return part
	}
	return spans.FindString(part)
}

// variable is what a message has in it that is another each time, and what stands for it in a log. The first that fits
// is taken.
var variable = []struct {
	quoted *regexp.Regexp
	stands string
}{
	{regexp.MustCompile(`^"[^"]+"`), `"[^"]{0,300}"`},
	{regexp.MustCompile(`^(?:\{…\}|map\[[^\]]*\])`), `(?:map\[|\{).{0,500}?[\]}]`},
	{regexp.MustCompile(`^\(?…\)?`), `.{0,500}?`},
	{regexp.MustCompile(`^(?:[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+|localhost)(?::[0-9]+)?`), `.{1,300}?`},
	{regexp.MustCompile(`^\*[a-z0-9]+\.[A-Z][A-Za-z]*`), `\*?[\w./\[\]-]+`},
	{regexp.MustCompile(`^(?:configmaps|deployment\.apps) `), `[\w./-]+ `},
	{regexp.MustCompile(`^[45][0-9][0-9] [A-Z]`), ``}, // a status with its name: as it is
	{regexp.MustCompile(`^[0-9][0-9.]*(?:(?:ns|µs|ms|h|m|s)[0-9]*)*\b`), `[0-9][\w.µ]*`},
}

var (
	statusCode = regexp.MustCompile(`^[45][0-9][0-9]$`)
	nothing    = regexp.MustCompile(`^(?:[0-9]\w{0,2}|.{0,2}|-v=[0-9])$`)
)

// compile makes a piece of a quotation; nil if it is nothing to look for: a metric's name, a flag, a single digit.
func compile(quoted string) (*piece, error) {
	quoted = strings.TrimSpace(quoted)
	if statusCode.MatchString(quoted) {
		// As access logs and clients write it; else each third number would be one.
		form := regexp.MustCompile(`(?i)(?:\bcode|\bresp|\bstatus|HTTP/[0-9.]+|\berror)"?[=: ]+"?` + quoted + `\b`)
		return &piece{text: quoted, anchor: quoted, form: form, telling: 3, words: 1}, nil
	}
	if nothing.MatchString(quoted) || metric.MatchString(quoted) || strings.HasPrefix(quoted, "kubectl ") {
		return nil, nil
	}
	p := &piece{text: quoted}
	form, fixed := p.take(quoted)
	if p.anchor = strings.TrimSpace(longest(fixed)); len(p.anchor) < 3 {
		return nil, fmt.Errorf("nothing in `%s` is the same each time, so that no log can be searched for it", quoted)
	}
	for _, run := range fixed {
		for word := range strings.FieldsSeq(run) {
			letters := len(strings.Map(letterOrDigit, word))
			p.telling += letters
			if letters > 1 {
				p.words++
			}
		}
	}
	var err error
	p.form, err = regexp.Compile(form)
	return p, err
}

// take makes the regular expression of a quotation, and gives the parts that do not vary.
func (p *piece) take(quoted string) (form string, fixed []string) {
	var out, run strings.Builder
	end := func() {
		if run.Len() > 0 {
			fixed = append(fixed, run.String())
			out.WriteString(regexp.QuoteMeta(run.String()))
			run.Reset()
		}
	}
	inWord := false
	for rest := quoted; rest != ""; {
		length, stands := variableAt(rest, inWord)
		if rest == quoted && rest[0] == '"' {
			length = 0 // a message that klog quotes, and no name in one
		}
		switch {
		case length > 0 && stands != "":
			end()
			out.WriteString(stands)
		case length > 0:
			run.WriteString(rest[:length])
		default:
			_, length = utf8.DecodeRuneInString(rest)
			run.WriteString(rest[:length])
		}
		last, _ := utf8.DecodeLastRuneInString(rest[:length])
		inWord = letterOrDigit(last) >= 0
		rest = rest[length:]
	}
	end()
	form = out.String()
	if first, _ := utf8.DecodeRuneInString(quoted); first < utf8.RuneSelf && letterOrDigit(first) >= 0 {
		form = `\b` + form
	}
	if last, _ := utf8.DecodeLastRuneInString(quoted); last < utf8.RuneSelf && letterOrDigit(last) >= 0 {
		form += `\b`
	}
	return form, fixed
}

// variableAt gives the length of the variable part that a text begins with, and what stands for it.
func variableAt(rest string, inWord bool) (length int, stands string) {
	for _, v := range variable {
		found := v.quoted.FindString(rest)
		if found == "" || inWord && letterOrDigit(rune(found[0])) >= 0 {
			continue
		}
		return len(found), v.stands
	}
	return 0, ""
}

// letterOrDigit keeps what a word is made of, for strings.Map.
func letterOrDigit(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

func longest(parts []string) (best string) {
	for _, p := range parts {
		if len(strings.TrimSpace(p)) > len(strings.TrimSpace(best)) {
			best = p
		}
	}
	return best
}

// Example is a log in which the message stands as the page quotes it; a status, as an access log has it.
func (m *Message) Example() string {
	log := m.first.text
	if statusCode.MatchString(log) {
		log = "resp=" + log
	}
	if len(m.any) > 0 {
		log += " " + m.any[0].text
	}
	for _, p := range m.elsewhere {
		log += "\n" + p.text
	}
	return log
}
