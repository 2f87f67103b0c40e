package symptoms

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A Message is something to look for in a log.
type Message struct {
	Text  string // as the page has it, with what it says around the quotation
	first *piece
	// with are groups of pieces, and one of each stands on the same line, or below it: `A` with `B` or `C` and `D`.
	with [][]*piece
	// without are pieces of which none does.
	without []*piece
	// answered are pieces that are logged for each first piece when all is well: `A`, and no `B`.
	answered []*piece
	// elsewhere are pieces that all stand somewhere in the log, mostly in a stack.
	elsewhere []*piece
	row       int  // its row's line on the page
	last      Last // its row's
}

// A piece is one quotation.
type piece struct {
	text   string // as quoted
	tokens []token
	anchor string // the longest part of it that does not vary, in lower case
	before int    // how far before the anchor it may begin
	form   *regexp.Regexp
	broken func() *regexp.Regexp // over lines; it is made when it is needed first
	// telling is the number of letters and digits that do not vary: how unlikely it is that it stands there by chance.
	telling int
	words   int
}

// Telling says how unlikely it is that the message stands in a log by chance.
func (m *Message) Telling() int {
	n := m.first.telling
	for _, group := range m.with {
		longest := 0
		for _, p := range group {
			longest = max(longest, p.telling)
		}
		n += longest
	}
	for _, p := range m.elsewhere {
		n += p.telling
	}
	return n
}

// Weak says that the message is a word or two that other programs print as well.
func (m *Message) Weak() bool { return m.first.weak() && len(m.with) == 0 && len(m.elsewhere) == 0 }

func (p *piece) weak() bool { return p.telling < 10 || p.words < 2 && p.telling < 15 }

func (m *Message) pieces() []*piece {
	all := append([]*piece{m.first}, slices.Concat(m.with...)...)
	return slices.Concat(all, m.without, m.answered, m.elsewhere)
}

var (
	// lead is what may stand before a quotation that is a message: `of Events:`, `401`, `*older:*`.
	lead      = regexp.MustCompile("^(?:[^`]*:\\*?|in the server's log|[0-9]{3}) *`|^`")
	verbosity = regexp.MustCompile("^from `-v=[0-9]` on: ")
	// stack says that what is quoted stands in a stack, so on other lines than the message.
	stack = regexp.MustCompile("in the stack|` below `")
	// A metric has its name in each scrape, and what tells is its value.
	metric     = regexp.MustCompile(`^[a-z]+(?:_[a-z]+)+$`)
	statusCode = regexp.MustCompile(`^[45][0-9][0-9]$`)
	nothing    = regexp.MustCompile(`^(?:[0-9]\w{0,2}|.{0,2}|-.*|kubectl .*)$`)
)

// messagesOf takes the first column of a row apart. What has no quotation, or is a sentence with one in its middle, is
// for people who search by words.
func messagesOf(symptom string) ([]*Message, error) {
	var all []*Message
	var faults []error
	for part := range strings.SplitSeq(symptom, " · ") {
		part = verbosity.ReplaceAllString(strings.TrimSpace(part), "")
		if !lead.MatchString(part) && !stack.MatchString(part) {
			continue
		}
		found, err := messagesIn(part)
		all, faults = append(all, found...), append(faults, err)
	}
	return all, errors.Join(faults...)
}

// messagesIn gives the messages of what stands between two dots: one with its conditions, or several, `A`, `B`.
func messagesIn(part string) ([]*Message, error) {
	joint := &Message{Text: part}
	all := []*Message{joint}
	quotations, how, end := 0, "", 0
	for _, at := range spans.FindAllStringSubmatchIndex(part, -1) {
		text := part[at[2]:at[3]]
		p, err := compile(text)
		if err != nil {
			return nil, err
		}
		if p == nil { // a flag, a metric: nothing that a log is searched for
			continue
		}
		quotations++
		between := part[end:at[0]]
		end = at[1]
		switch {
		case joint.first == nil:
			joint.first = p
			continue
		case stack.MatchString(part):
			joint.elsewhere = append(joint.elsewhere, p)
			continue
		}
		join, known := joining[strings.Trim(between, " ,")]
		if !known || join == "and" && how != "with" {
			return nil, fmt.Errorf("the words %q before `%s` join it to what stands before in no way that is known, "+
				"which are: with, or, and (after with), without, and no, in the stack, below; messages that do not "+
				"belong together have a comma or ` · ` between them", strings.TrimSpace(between), text)
		}
		switch {
		case join == "and", join == "with":
			joint.with = append(joint.with, []*piece{p})
			how = "with"
			continue
		case join != "":
			how = join
		}
		switch how {
		case "with":
			last := len(joint.with) - 1
			joint.with[last] = append(joint.with[last], p)
		case "without":
			joint.without = append(joint.without, p)
		case "no":
			joint.answered = append(joint.answered, p)
		default:
			all = append(all, &Message{Text: "`" + text + "`", first: p})
		}
	}
	if joint.first == nil {
		return nil, nil
	}
	if len(all) > 1 {
		joint.Text = "`" + joint.first.text + "`"
	}
	return all, nil
}

// joining are the words that may stand between two quotations, and what they make of the second.
var joining = map[string]string{"": "", "or": "", "with": "with", "and": "and", "without": "without", "and no": "no"}

// far is how long what varies before an anchor may be.
const far = 512

// compile makes a piece of a quotation; nil if it is nothing to look for: a metric's name, a flag, a single digit.
func compile(text string) (*piece, error) {
	text = strings.TrimSpace(text)
	if statusCode.MatchString(text) {
		// As access logs and clients write it; else each third number would be one.
		form := regexp.MustCompile(`(?i)(?:\bcode|\bresp|\bstatus|HTTP/[0-9.]+|\berror|exception)"?[=: ]+["(]?` +
			text + `\b`)
		return &piece{text: text, tokens: []token{{text: text}}, anchor: text, before: 16, form: form, telling: 3,
			words: 1}, nil
	}
	if nothing.MatchString(text) || metric.MatchString(text) {
		return nil, nil
	}
	all, err := tokens(text)
	if err != nil {
		return nil, err
	}
	if last := len(all) - 1; last > 0 && all[last].text == "…" { // what follows is not needed
		all = all[:last]
		all[last-1].text = strings.TrimRight(all[last-1].text, " ")
	}
	p := &piece{text: text, tokens: all}
	p.before = far
	for i, t := range all {
		if t.text == "<singular>" {
			p.telling++ // more than <resource>, which fits as well
		}
		if t.stands != "" {
			continue
		}
		for run := range strings.SplitSeq(t.text, `"`) {
			if run = strings.TrimSpace(run); len(run) > len(p.anchor) {
				p.anchor = strings.ToLower(run)
				if p.before = far; i == 0 {
					p.before = strings.Index(text, run)
				}
			}
			for word := range strings.FieldsSeq(run) {
				letters := len(strings.Map(letterOrDigit, word))
				p.telling += letters
				if letters > 1 {
					p.words++
				}
			}
		}
	}
	if len(p.anchor) < 3 {
		return nil, fmt.Errorf("nothing in `%s` is the same each time, so that no log can be searched for it", text)
	}
	p.broken = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form(all, true, true)) })
	p.form, err = regexp.Compile(form(all, false, p.words > 1))
	return p, err
}

// letterOrDigit keeps what a word is made of, for strings.Map.
func letterOrDigit(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}
