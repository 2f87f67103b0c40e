package hint

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var listItem = regexp.MustCompile(`^(\s*(?:[-*]|\d+\.)\s+)(.*)$`)

// Reflow fills the paragraphs of a Markdown text to a width, for a terminal. Fenced and indented code, headings and
// tables stay as they are.
func Reflow(text string, width int) string {
	var out, words []string
	indent, fenced := "", false
	flush := func(first string) {
		line := first
		for i, w := range words {
			if i > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > width {
				out, line = append(out, line), indent
				line += w
				continue
			}
			if i > 0 {
				line += " "
			}
			line += w
		}
		if len(words) > 0 {
			out = append(out, line)
		}
		words, indent = nil, ""
	}
	lead := ""
	end := func() { flush(lead); lead = "" }
	for line := range strings.SplitSeq(text, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		item := listItem.FindStringSubmatch(line)
		code := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
		switch {
		case fence || fenced:
			end()
			out = append(out, line)
			fenced = fenced != fence
		case item != nil:
			end()
			lead, indent = item[1], strings.Repeat(" ", utf8.RuneCountInString(item[1]))
			words = strings.Fields(item[2])
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") ||
			code && len(words) == 0:
			end()
			out = append(out, line)
		default:
			words = append(words, strings.Fields(line)...)
		}
	}
	end()
	return strings.Join(out, "\n")
}
