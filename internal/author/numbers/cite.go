package numbers

import (
	"regexp"
	"strings"
)

var citeForm = regexp.MustCompile(`<!-- number: (.+?) -->`)

// A Citation is a figure in a text, with the name of what it cites behind it: `330 000<!-- number:
// watch.Stream/impl=ours events/s -->`.
type Citation struct {
	Name     string
	Line     int // 1-based
	Figure   Figure
	Found    bool // a figure stands before the directive
	from, to int  // of the figure in the text
}

// Citations lists the figures that a text cites.
func Citations(text string) []Citation {
	var out []Citation
	for _, m := range citeForm.FindAllStringSubmatchIndex(text, -1) {
		c := Citation{Name: text[m[2]:m[3]], Line: strings.Count(text[:m[0]], "\n") + 1}
		begin := strings.LastIndexByte(text[:m[0]], '\n') + 1
		if c.Figure, c.Found = LastFigure(text[begin:m[0]]); c.Found {
			c.from = begin + strings.LastIndex(text[begin:m[0]], c.Figure.Text)
			c.to = c.from + len(c.Figure.Text)
		}
		out = append(out, c)
	}
	return out
}

// Wrong returns what the figure ought to be if the page says otherwise, and "" if it is right.
func (c Citation) Wrong(p Page) (string, error) {
	value, err := p.Find(c.Name)
	if err != nil {
		return "", err
	}
	if c.Figure.Shows(value) {
		return "", nil
	}
	return c.Figure.In(value), nil
}

// Update writes the page's figures into the text that the citations are of.
func Update(text string, citations []Citation, p Page) string {
	for i := len(citations) - 1; i >= 0; i-- { // from the end, so that the places before stay
		c := citations[i]
		if !c.Found {
			continue
		}
		if want, err := c.Wrong(p); err == nil && want != "" {
			text = text[:c.from] + want + text[c.to:]
		}
	}
	return text
}
