package symptoms

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// placeholders are all that may stand in angle brackets: what is another each time, and the regular expression of what
// stands for it in a log. Between quotes each stands for all that is quoted.
var placeholders = map[string]string{
	"name":     word, // of an object, with its namespace or without; of a controller, an index, a manager of fields
	"kind":     `(?-i:[A-Z])[\w]*(?:\.[\w.-]+)?`,
	"resource": `(?-i:[a-z])[\w.-]*(?:/[\w-]+)?`,
	"singular": `(?-i:[a-z])[\w-]*(?-i:[a-rt-z0-9])(?:\.[\w.-]+)?`,
	"group":    `[\w.-]*`,
	"version":  `(?:[\w.-]*/)?[\w.-]+`,
	"type":     word + `(?: [A-Z]\w*\])?(?: \{\})?`, // *unstructured.Unstructured[apps/v1 Deployment]
	"field":    `(?:\[[^\]]*\]|[^\s"])+`,            // with what is between brackets
	"address":  word,
	"number":   `-?[0-9][\w.]*`,
	"duration": `-?[0-9][\w.µμ]*`,
	"uid":      `[\w-]+`,
	"user":     word,
	"file":     word,
}

const (
	word     = `[^\s"]+`
	quoted   = `[^"]*`
	anything = `.{0,500}?`
)

// Placeholders gives the names that may stand in angle brackets, in the order of the alphabet.
func Placeholders() []string {
	var names []string
	for name := range placeholders {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// printed is what programs print as it stands here, and the rules below would take for a placeholder or an example.
var printed = []string{"<nil>", "<defunct>", "0 length Deltas", "n=1", "Code: 4", "Code: 7", "ResourceVersion: 0",
	"HTTP/1.x", "not v1.Object", "Pop Process", "PopBatch Process"}

// A token is a part of a quotation: a placeholder, or what is always the same.
type token struct {
	text   string // as quoted
	stands string // for a placeholder: the regular expression
}

var (
	brackets = regexp.MustCompile(`…|<[^<>\s]*>`)
	literal  = regexp.MustCompile(strings.Join(mapped(printed, regexp.QuoteMeta), "|"))
)

// tokens takes a quotation apart. An error names what is no placeholder, or what seems to be an example and is not
// marked as one.
func tokens(text string) ([]token, error) {
	var all []token
	fixed := func(s string) {
		if s == "" {
			return
		}
		if last := len(all) - 1; last >= 0 && all[last].stands == "" {
			all[last].text += s
			return
		}
		all = append(all, token{text: s})
	}
	rest := 0
	for _, at := range brackets.FindAllStringIndex(text, -1) {
		bracket := text[at[0]:at[1]]
		if slices.Contains(printed, bracket) {
			continue
		}
		stands, known := anything, bracket == "…"
		if !known {
			stands, known = placeholders[strings.Trim(bracket, "<>")]
		}
		if !known {
			return nil, fmt.Errorf("%s in `%s` is no placeholder; these are: %s, and … for anything", bracket, text,
				"<"+strings.Join(Placeholders(), ">, <")+">")
		}
		if strings.HasSuffix(text[:at[0]], `"`) && strings.HasPrefix(text[at[1]:], `"`) {
			stands = quoted
		}
		fixed(text[rest:at[0]])
		all = append(all, token{bracket, stands})
		rest = at[1]
	}
	fixed(text[rest:])
	return all, unmarked(text)
}

// examples says what in a message can only be an example, when placeholders and what is printed so are left out.
var examples = []struct {
	form *regexp.Regexp
	what string
	mark string
}{
	{pair, "a quoted name", `"<name>" or another placeholder in quotes`},
	{regexp.MustCompile(`\*[a-z]\w*\.[A-Z]\w*|\bv[0-9]\w*\.[A-Z]\w*|\b(?:types|core|corev1)\.[A-Z]\w*`),
		"a Go type", "<type>"},
	{regexp.MustCompile(`\bv[0-9]+(?:(?:alpha|beta)[0-9]+)?\b`), "a version", "<version>"},
	{regexp.MustCompile(`https?://[^\s\x00]|\b[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+|\[::|\blocalhost\b`), "an address",
		"<address>"},
	{regexp.MustCompile(`(?:^|[^\w.])[0-9]+(?:\.[0-9]+)?(?:ns|µs|ms|s|m|h)(?:[0-9]|\b)`), "a duration", "<duration>"},
	{regexp.MustCompile(`(?:^|[^\w.])[0-9]`), "a number", "<number>"},
	{regexp.MustCompile(`(?i:\bconfigmaps?\b)|\b(?:processes\.|Process|Processes|Secrets?|menu|web|north|south|` +
		`mirror|tour|my-deployment)\b|example\.(?:com|org)|\b(?:spec|status)\.[a-z]+[A-Z]`),
		"a word of the book's examples", "<resource>, <kind>, <name>, <group> or <field>"},
}

var (
	// status is one of HTTP, which is no example.
	status = regexp.MustCompile(`\b[45][0-9][0-9]\b`)
	pair   = regexp.MustCompile(`"[^"]*"`)
)

// unmarked gives an error for an example that stands in a message as if it were always there.
func unmarked(text string) error {
	bare := literal.ReplaceAllString(text, "\x00")
	bare = brackets.ReplaceAllString(bare, "\x00")
	bare = status.ReplaceAllString(bare, "\x00")
	if strings.HasPrefix(bare, `"`) {
		bare = strings.Replace(bare, `"`, "", 2) // a message that klog quotes
	}
	bare = pair.ReplaceAllStringFunc(bare, func(p string) string {
		if p == `""` || strings.Contains(p, "\x00") {
			return "\x00"
		}
		return p
	})
	for _, e := range examples {
		if found := e.form.FindString(bare); found != "" {
			return fmt.Errorf("%s in `%s` is %s, and stands there as if it were always the same: write %s (what a "+
				"program prints as it stands is named in internal/symptoms/notation.go, printed)",
				strings.TrimSpace(found), text, e.what, e.mark)
		}
	}
	return nil
}

// form makes the regular expression of tokens. broken says that the text may be broken over lines, at any place.
func form(all []token, broken, fold bool) string {
	var out strings.Builder
	if fold {
		out.WriteString("(?i)")
	}
	out.WriteString(edge(all[0], true))
	for _, t := range all {
		switch {
		case t.stands == "":
			out.WriteString(fixedForm(t.text, broken))
		case broken:
			out.WriteString(`\n?` + breakable.Replace(t.stands))
		default:
			out.WriteString(t.stands)
		}
	}
	out.WriteString(edge(all[len(all)-1], false))
	return out.String()
}

// breakable lets what stands for a placeholder go on after the end of a line.
var breakable = strings.NewReplacer(`\w`, `\w\n`, `[^\s"]`, `[^ \t"]`, anything, `(?s:`+anything+`)`)

// fixedForm is the regular expression of what does not vary. A quote is doubled in CSV.
func fixedForm(text string, broken bool) string {
	var out strings.Builder
	for i, r := range text {
		switch {
		case broken && r == ' ':
			out.WriteString(`(?: ?\n ?| )`)
			continue
		case broken && i > 0:
			out.WriteString(`\n?`)
		}
		out.WriteString(regexp.QuoteMeta(string(r)))
		if r == '"' {
			out.WriteString(`{1,2}`)
		}
	}
	return out.String()
}

// edge keeps the end of a message from being a part of a word, or of a name.
func edge(t token, first bool) string {
	switch {
	case t.text == "…" || t.stands == "" && !wordly(t.text, first):
		return ""
	case t.stands == "":
		return `\b`
	case first:
		return `(?:^|[^\w./-])`
	}
	return ""
}

// wordly says whether a text begins, or ends, with what \b takes for a part of a word.
func wordly(text string, first bool) bool {
	at := len(text) - 1
	if first {
		at = 0
	}
	b := rune(text[at])
	return b < unicode.MaxASCII && letterOrDigit(b) >= 0
}

func mapped(in []string, f func(string) string) []string {
	var out []string
	for _, s := range in {
		out = append(out, f(s))
	}
	return out
}
