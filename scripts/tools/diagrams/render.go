package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"oss.terrastruct.com/d2/d2graph"
	"oss.terrastruct.com/d2/d2layouts/d2elklayout"
	"oss.terrastruct.com/d2/d2lib"
	"oss.terrastruct.com/d2/d2renderers/d2svg"
	"oss.terrastruct.com/d2/d2themes/d2themescatalog"
	"oss.terrastruct.com/d2/lib/log"
	"oss.terrastruct.com/d2/lib/textmeasure"

	"github.com/controllers-from-scratch/controllers-from-scratch/scripts/tools/page"
)

const (
	// maxWidth is the width of a page's text column: a wider picture would be scaled down on the page.
	maxWidth = 700
	// maxNatural is what may be scaled down to maxWidth and stays legible: 16 px text becomes 12 px.
	maxNatural = 960
)

// layout keeps the parts closer together than ELK does by default: a page is narrow.
var layout = d2elklayout.ConfigurableOpts{
	Algorithm:       "layered",
	NodeSpacing:     24,
	Padding:         "[top=36,left=20,bottom=20,right=20]",
	EdgeNodeSpacing: 16,
	SelfLoopSpacing: 30,
}

// render gives the SVG of one diagram.
func render(dir, name string) ([]byte, error) {
	source, err := os.ReadFile(filepath.Join(dir, name+".d2"))
	if err != nil {
		return nil, err
	}
	ruler, err := textmeasure.NewRuler()
	if err != nil {
		return nil, err
	}
	pad, theme, noVersion := int64(16), d2themescatalog.NeutralGrey.ID, true
	options := &d2svg.RenderOpts{Pad: &pad, ThemeID: &theme, OmitVersion: &noVersion}
	ctx := log.With(context.Background(), slog.New(slog.NewTextHandler(io.Discard, nil)))
	diagram, _, err := d2lib.Compile(ctx, string(source), &d2lib.CompileOptions{
		FS:        os.DirFS(dir),
		InputPath: name + ".d2",
		Ruler:     ruler,
		LayoutResolver: func(string) (d2graph.LayoutGraph, error) {
			return func(ctx context.Context, g *d2graph.Graph) error {
				return d2elklayout.Layout(ctx, g, &layout)
			}, nil
		},
	}, options)
	if err != nil {
		return nil, err
	}
	diagram.Root.Fill = page.Background
	if boxes := len(diagram.Shapes); boxes > 16 {
		return nil, fmt.Errorf("%d boxes: one picture answers one question, a dozen boxes are the limit", boxes)
	}
	svg, err := d2svg.Render(diagram, options)
	if err != nil {
		return nil, err
	}
	sized, err := fit(svg) // before the colours: a picture that is too wide is the coarser fault
	if err != nil {
		return nil, err
	}
	return page.Follow(sized)
}

// outer matches the opening tag of the SVG, which D2 writes without a size of its own.
var outer = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)">`)

// fit gives the picture its size in pixels, so that every page shows it alike, and refuses one that is too wide.
func fit(svg []byte) ([]byte, error) {
	m := outer.FindSubmatchIndex(svg)
	if m == nil {
		return nil, fmt.Errorf("the renderer's output has no viewBox: has D2 changed its format?")
	}
	width, _ := strconv.Atoi(string(svg[m[2]:m[3]]))
	height, _ := strconv.Atoi(string(svg[m[4]:m[5]]))
	if width > maxNatural {
		return nil, fmt.Errorf("%d px wide, and the page has %d: shorten labels (\\n breaks one), or `direction: down`",
			width, maxWidth)
	}
	shown := min(width, maxWidth)
	size := fmt.Sprintf(` width="%d" height="%d">`, shown, (height*shown+width/2)/width)
	out := append([]byte{}, svg[:m[1]-1]...)
	out = append(out, size...)
	out = append(out, svg[m[1]:]...)
	return append(out, '\n'), nil
}
