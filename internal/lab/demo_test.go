package lab

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// threeSteps is a demo with a question, two kinds of faults, and a flag of its own.
func threeSteps() Demo {
	name := "nobody"
	says := func(text string) func(context.Context, *Lab) error {
		return func(_ context.Context, l *Lab) error { l.Conclude("%s, says %s", text, name); return nil }
	}
	return Demo{
		Chapter: "99-test", Title: "a test",
		Flags: func(f *flag.FlagSet) { f.StringVar(&name, "name", name, "who speaks") },
		Steps: []Step{
			{Title: "One", Why: "Because.", Run: says("one")},
			{Title: "Two", Why: "Because.", Run: says("two"), Question: "Two, or three?", Answer: "Two."},
			{Title: "Three", Why: "Because.", Run: says("three")},
		},
		Faults: []Fault{
			{Name: "broken", Steps: []Step{{Title: "Broken", Why: "Because.", Run: says("broken")}}},
			{Name: "late", First: 2, Steps: []Step{
				{Title: "Two", Why: "Because.", Run: says("late two")},
				{Title: "Three", Why: "Because.", Run: says("late three")},
			}},
		},
		FaultFor: func(text string) (Fault, error) {
			if text != "2 stall" {
				return Fault{}, errors.New("no script either")
			}
			return Fault{First: 2, Steps: []Step{{Title: "Two", Why: "Because.", Run: says(text)}}}, nil
		},
	}
}

// playThree plays it.
func playThree(t *testing.T, in string, args ...string) (code int, out string) {
	t.Helper()
	newAPI(t)
	var b bytes.Buffer
	code = Run(t.Context(), threeSteps(), args, strings.NewReader(in), &b)
	return code, b.String()
}

func TestFaultsAreStepsOfTheirOwnOrKeepTheirNumbers(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{nil, []string{"── 1/3 One ─", "── 2/3 Two ─", "── 3/3 Three ─", "three, says nobody"}},
		{[]string{"-name", "tea"}, []string{"three, says tea"}},
		{[]string{"-fault", "broken"}, []string{"── -fault broken Broken ─", "broken, says nobody"}},
		{[]string{"-fault", "late"}, []string{"── 2/3 Two ─", "late two", "── 3/3 Three ─", "late three"}},
		{[]string{"-fault", "2 stall"}, []string{"── 2/3 Two ─", "= 2 stall, says nobody"}},
		{[]string{"-fault", "broken", "-name", "x"}, []string{"broken, says x"}},
	} {
		code, out := playThree(t, "", c.args...)
		require.Zero(t, code, out)
		for _, line := range c.want {
			require.Contains(t, out, line)
		}
		require.Equal(t, !slices.Contains(c.args, "-fault"), strings.Contains(out, "── 1/3"), out)
		require.NotContains(t, out, "?", "questions are for -step")
	}
}

func TestAnUnknownFaultIsToldWhichThereAre(t *testing.T) {
	code, out := playThree(t, "", "-fault", "gremlins")
	require.Equal(t, 2, code)
	require.Contains(t, out, `! there is no fault "gremlins"; there are broken, late, or a script: no script either`)
	require.NotContains(t, out, "Namespace", "nothing was started")
	d := threeSteps()
	d.FaultText = "2 stall"
	var b bytes.Buffer
	require.Equal(t, 2, Run(t.Context(), d, []string{"-fault", "2 stal"}, strings.NewReader(""), &b))
	require.Contains(t, b.String(), "! no script either\n", "a text with a space is no name")
	require.Contains(t, b.String(), "late, or a script such as \"2 stall\"\n")
	b.Reset()
	d.FaultFor, d.FaultText = nil, ""
	require.Equal(t, 2, Run(t.Context(), d, []string{"-fault", "gremlins"}, strings.NewReader(""), &b))
	require.Contains(t, b.String(), "! there is no fault \"gremlins\"; there are broken, late\n")
	require.Contains(t, b.String(), "play a failure instead: broken, late\n")
}

// -step waits between the steps and before the answer to a question can be seen, and answers before it concludes.
func TestStepsAskWhatWillHappen(t *testing.T) {
	code, out := playThree(t, "\n\n\n", "-step")
	require.Zero(t, code, out)
	require.Equal(t, 3, strings.Count(out, "[Enter]"))
	question := strings.Index(out, "   ? Two, or three?\n")
	enter := strings.Index(out, "[Enter]    ? Answer: Two.\n   = two, says nobody\n")
	require.Positive(t, question, out)
	require.Greater(t, enter, question, out)
}

// At a terminal, an Enter that was typed before the question is no answer to it. From a pipe it is.
func TestAnEnterFromBeforeIsNoAnswer(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		in := bufio.NewReader(io.MultiReader(strings.NewReader("before\n"), strings.NewReader("after\n")))
		_, err := in.Peek(1)
		require.NoError(t, err)
		p := player{Narrator: NewNarrator(io.Discard, nil), in: in, drop: func() bool { return terminal }}
		require.True(t, p.enter(t.Context()))
		rest, err := io.ReadAll(in)
		require.NoError(t, err)
		require.Equal(t, map[bool]string{true: "", false: "after\n"}[terminal], string(rest))
	}
}

// At a terminal, what was played says what comes next.
func TestWhatComesNext(t *testing.T) {
	for want, p := range map[string]player{
		"Next: read chapters/99-test/README.md\n      go run ./chapters/99-test -step asks what will happen\n" +
			"      make grade EX=99.1 names the first exercise\n": {demo: threeSteps()},
		"Next: read chapters/99-test/README.md\n      make grade EX=99.1 names the first exercise\n": {demo: threeSteps(),
			step: true},
		"": {demo: Demo{Chapter: "99-test/mine"}},
	} {
		var out strings.Builder
		p.Narrator = NewNarrator(&out, nil)
		p.next()
		require.Empty(t, out.String(), "outside a terminal")
		p.redraws = true
		p.next()
		require.Equal(t, want, out.String())
	}
	var out strings.Builder
	p := player{Narrator: NewNarrator(&out, nil), demo: threeSteps(), faultName: "broken"}
	p.redraws = true
	p.next()
	require.Equal(t, "The others: chapters/99-test/README.md#where-it-breaks\n", out.String())
}

// Only the last conclusion of a step waits for the answer: an earlier one is followed by what comes after it.
func TestTheAnswerComesBeforeTheLastConclusion(t *testing.T) {
	newAPI(t)
	d := threeSteps()
	d.Steps = []Step{{Title: "One", Why: "Because.", Question: "Two?", Answer: "Two.",
		Run: func(_ context.Context, l *Lab) error {
			l.Conclude("first")
			l.Became("more")
			l.Conclude("second")
			l.Conclude("third")
			return nil
		}}}
	var b bytes.Buffer
	require.Zero(t, Run(t.Context(), d, []string{"-step"}, strings.NewReader("\n"), &b))
	require.Contains(t, b.String(), "   = first\n   ~ more\n   = second\n   ? Answer: Two.\n   = third\n")
}
