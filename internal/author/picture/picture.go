// Package picture draws a terminal's text as an SVG: the picture of a chapter's output in the README. The same text
// gives the same bytes everywhere; its background is opaque, so that it is legible on light and on dark pages.
package picture

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	columnWidth = 7.2
	lineHeight  = 17
	fontSize    = 12
	margin      = 14
	titleHeight = 26
)

// colours gives the colour of a line by the sign at its beginning, as the lab's narrator colours a terminal.
func colour(line string) string {
	trimmed := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(trimmed, "$ "):
		return "#F2F4F8"
	case strings.HasPrefix(trimmed, "──"):
		return "#8FB8F6"
	case strings.HasPrefix(trimmed, "< "):
		return "#C7A8F0"
	case strings.HasPrefix(trimmed, "> "):
		return "#F0B26B"
	case strings.HasPrefix(trimmed, "= "):
		return "#7FD6A0"
	}
	return "#B9C0CC"
}

// Draw gives the SVG of a text. Title stands in the window's bar and is the picture's name for who cannot see it.
func Draw(title, text string) []byte {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	columns := 60
	for _, l := range lines {
		columns = max(columns, utf8.RuneCountInString(l))
	}
	width := int(float64(columns)*columnWidth) + 2*margin
	height := titleHeight + len(lines)*lineHeight + 2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n",
		width, height, width, height, escape(title))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="#1B1F27"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d" xml:space="preserve">`+"\n", fontSize)
	fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#7C8595">%s</text>`+"\n", margin, margin+8, escape(title))
	last := ""
	for i, l := range lines {
		c := colour(l)
		if c == "#B9C0CC" && continues(l, lines, i) {
			c = last
		}
		last = c
		if strings.TrimSpace(l) == "" {
			continue
		}
		// textLength keeps the columns in line, whatever font the reader's machine has.
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n",
			margin, titleHeight+margin+(i+1)*lineHeight-5, c, float64(utf8.RuneCountInString(l))*columnWidth, escape(l))
	}
	b.WriteString("</g>\n</svg>\n")
	return []byte(b.String())
}

// continues says whether a line is the rest of a conclusion above it: indented, and without a sign of its own.
func continues(line string, lines []string, i int) bool {
	return i > 0 && strings.HasPrefix(line, "     ") && (strings.HasPrefix(strings.TrimSpace(lines[i-1]), "= ") ||
		strings.HasPrefix(lines[i-1], "     "))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// escape also keeps runs of spaces, which some viewers collapse in spite of xml:space.
func escape(s string) string { return strings.ReplaceAll(escaper.Replace(s), "  ", "\u00a0 ") }
