// Package page has pictures follow the page that they stand on: light or dark.
package page

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Background is what a picture is painted on. It is opaque: a viewer that shows the light variant on a dark page shows
// it legibly.
const Background = "#FFFFFF"

// dark gives each colour of a picture its counterpart for a dark page: the palette of diagrams/style.d2, and the page
// itself.
var dark = map[string]string{
	Background: "#0D1117",
	// kube-apiserver
	"#DBE7FB": "#16294A", "#2458B3": "#6EA8FE", "#12305F": "#D6E5FF",
	// etcd
	"#E3E5E8": "#2B3038", "#F6F7F9": "#161B22", "#545B66": "#A3ABB8", "#23272E": "#E2E6EC",
	// what the book builds
	"#D9F2E3": "#12351F", "#F0FAF4": "#0F2417", "#1E7A45": "#56C983", "#0D3D22": "#CDF3DB",
	// people and their programs
	"#FDEBD3": "#3D2705", "#A85B00": "#F0A440", "#5A3100": "#FFE0B5",
	// what flows
	"#EFE6FA": "#2C1D42", "#6B3FA0": "#B98CF0", "#38215A": "#E6D8FB",
	// what goes wrong
	"#FBDDDD": "#471918", "#B3261E": "#FF7B72", "#601410": "#FFD7D3",
	// remarks and requests
	"#3C4350": "#AEB6C2",
}

// paint matches the presentation attributes with a colour. D2 writes the colours of the classes so, and style sheets
// win over them.
var paint = regexp.MustCompile(`(fill|stroke)="(#[0-9A-F]{6})"`)

// Follow has the picture follow the page: in the dark, a style sheet in it replaces each colour by its counterpart.
// A colour without one is an error: it would be the only thing in the picture that stays as it is.
func Follow(svg []byte) ([]byte, error) {
	rules := map[string]bool{}
	for _, m := range paint.FindAllSubmatch(svg, -1) {
		attribute, colour := string(m[1]), string(m[2])
		counterpart, ok := dark[colour]
		if !ok {
			return nil, fmt.Errorf("the colour %s has no counterpart for dark pages: use a class of style.d2, or add "+
				"it to scripts/tools/page/page.go", colour)
		}
		rules[fmt.Sprintf("[%s=%q]{%s:%s}", attribute, colour, attribute, counterpart)] = true
	}
	var sorted []string
	for rule := range rules {
		sorted = append(sorted, rule)
	}
	slices.Sort(sorted)
	sheet := "<style>@media (prefers-color-scheme:dark){" + strings.Join(sorted, "") + "}</style></svg>"
	end := bytes.LastIndex(svg, []byte("</svg>"))
	if end < 0 {
		return nil, fmt.Errorf("the renderer's output does not end in </svg>: has D2 changed its format?")
	}
	return append(append(slices.Clone(svg[:end]), sheet...), svg[end+len("</svg>"):]...), nil
}
