package main

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/controllers-from-scratch/controllers-from-scratch/scripts/tools/page"
)

// The colours are those of diagrams/style.d2: what the book builds, and the API server's for what is upstream's.
const (
	ours     = "#1E7A45"
	upstream = "#2458B3"
	ink      = "#3C4350"
)

// fonts are looked for where the picture is shown. The first is what gonum has measured the text with.
const fonts = "Liberation Sans, Arial, Helvetica, sans-serif"

// says is the picture, for who cannot see it.
const says = "Two plots against the number of objects, 1,000 to 100,000: how many objects of the first list an " +
	"informer takes in a second, and how many bytes it keeps for each besides the object; ours beside client-go's."

const (
	width  = 700 * vg.Inch / 96 // points for so many pixels
	height = 280 * vg.Inch / 96
	gap    = 12 * vg.Inch / 96
)

// sideBySide draws plots into one picture.
func sideBySide(panels ...*plot.Plot) ([]byte, error) {
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(false))
	all := draw.New(canvas)
	all.SetColor(hex(page.Background))
	all.Fill(all.Rectangle.Path())
	each := (width - gap*vg.Length(len(panels)+1)) / vg.Length(len(panels))
	for i, p := range panels {
		left := gap + vg.Length(i)*(each+gap)
		p.Draw(draw.Canvas{Canvas: canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: gap}, Max: vg.Point{X: left + each, Y: height - gap}}})
	}
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, err
	}
	named := bytes.Replace(attributes(out.Bytes()), []byte("<svg "),
		[]byte(`<svg role="img" aria-label="`+says+`" `), 1)
	return page.Follow(bytes.ReplaceAll(named, []byte(`"Liberation Sans"`), []byte(`"`+fonts+`"`)))
}

// panel is a plot of some lines. The numbers of objects stand on a logarithmic axis.
func panel(title string, lines ...series) (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = hex(page.Background)
	p.Title.Text, p.Title.Padding = title, vg.Points(6)
	p.X.Label.Text = "objects"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.ConstantTicks{{Value: 1e3, Label: "1,000"},
		{Value: 1e4, Label: "10,000"}, {Value: 1e5, Label: "100,000"}}
	p.Y.Tick.Marker = ticks{}
	p.Legend.Top, p.Legend.Left, p.Legend.YOffs, p.Legend.XOffs = true, true, -vg.Points(2), vg.Points(6)
	p.Legend.Padding = vg.Points(2)
	for _, style := range []*draw.TextStyle{&p.Title.TextStyle, &p.Legend.TextStyle, &p.X.Label.TextStyle,
		&p.X.Tick.Label, &p.Y.Tick.Label} {
		style.Color, style.Font.Variant, style.Font.Size = hex(ink), "Sans", vg.Points(8.5)
	}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color, axis.Padding = hex(ink), hex(ink), 0
	}
	for _, s := range lines {
		var points plotter.XYs
		for _, at := range s.points {
			points = append(points, plotter.XY{X: at.x, Y: at.y})
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		line.Color, line.Width = hex(s.colour), vg.Points(1.6)
		if s.dashed {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		dots.Color, dots.Shape, dots.Radius = hex(s.colour), draw.CircleGlyph{}, vg.Points(2.4)
		p.Add(line, dots)
		p.Legend.Add(s.name, line, dots)
	}
	p.X.Min, p.X.Max, p.Y.Min = 800, 125_000, 0
	p.Y.Max *= 1.4 // room for the legend
	return p, nil
}

// ticks writes thousands as 10k.
type ticks struct{}

func (ticks) Ticks(low, high float64) []plot.Tick {
	all := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range all {
		if t.Label != "" && t.Value >= 1000 {
			all[i].Label = strconv.FormatFloat(t.Value/1000, 'f', -1, 64) + "k"
		}
	}
	return all
}

// hex reads a colour as style sheets write it.
func hex(s string) color.Color {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if err != nil {
		panic(err) // it is one of the constants above
	}
	return color.NRGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: math.MaxUint8}
}

// styled is a style that an element has, and declared one declaration of it.
var (
	styled   = regexp.MustCompile(`style="([^"]*)"`)
	declared = regexp.MustCompile(`^([a-z-]+):(.+)$`)
)

// attributes writes the styles of elements as attributes, over which a style sheet has its way.
func attributes(svg []byte) []byte {
	return styled.ReplaceAllFunc(svg, func(m []byte) []byte {
		var out []string
		for declaration := range strings.SplitSeq(string(styled.FindSubmatch(m)[1]), ";") {
			if d := declared.FindStringSubmatch(strings.TrimSpace(declaration)); d != nil {
				out = append(out, fmt.Sprintf("%s=%q", d[1], d[2]))
			}
		}
		return []byte(strings.Join(out, " "))
	})
}
