package term

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Wrap breaks a text at spaces into lines of at most n runes; a line break in it stays one. A word of more than n is a
// line of its own, and stays whole.
func Wrap(text string, n int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			switch {
			case line == "":
				line = word
			case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= n:
				line += " " + word
			default:
				lines, line = append(lines, line), word
			}
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// Clip shortens a text to n runes. The last of them is an ellipsis if something is left out.
func Clip(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// Printable replaces what a text from elsewhere could do to a terminal. Line breaks and tabs stay.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return utf8.RuneError
		}
		return r
	}, text)
}
