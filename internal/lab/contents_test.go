package lab

import (
	"bytes"
	"encoding/json"
	"flag"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab/contents"
)

// listOf runs a demo that is only to list. There is no server, so playing anything would fail.
func listOf(t *testing.T, d Demo, args ...string) (code int, out string) {
	t.Helper()
	t.Setenv("CLUSTER", "nowhere")
	var b bytes.Buffer
	code = Run(t.Context(), d, args, strings.NewReader(""), &b)
	return code, b.String()
}

func TestListSaysWhatCanBePlayed(t *testing.T) {
	d := threeSteps()
	d.FaultText = "2 stall"
	d.Steps[1].Question = strings.Repeat("Two, or three, or many? ", 5)
	d.Faults = append(d.Faults, Fault{Name: "one", First: 3, Steps: d.Steps[2:]})
	code, out := listOf(t, d, "-list")
	require.Zero(t, code, out)
	require.Equal(t, `99-test: a test

go run ./chapters/99-test
   plays these steps. With -step it waits for Enter between them, and asks before a step what stands
   below it.
    1  One
    2  Two
       ? Two, or three, or many? Two, or three, or many? Two, or three, or many? Two, or three, or
         many? Two, or three, or many?
    3  Three

go run ./chapters/99-test -fault NAME
   plays a failure in their place.
   broken  Broken
   late    steps 2 to 3, with this failure
   one     step 3, with this failure
   SCRIPT  what you have written, such as "2 stall"

Each takes also
   -name  who speaks
`, out)
	d.Interactive = hang
	_, out = listOf(t, d, "-list")
	require.Contains(t, out, "\ngo run ./chapters/99-test -interactive\n")
	_, out = listOf(t, Demo{Chapter: "99-test", Steps: d.Steps[:1]}, "-list")
	require.NotContains(t, out, "-fault", "it has none")
	require.NotContains(t, out, "also", "it has no flag of its own")
}

func TestListForPrograms(t *testing.T) {
	d := threeSteps()
	d.FaultText = "2 stall"
	code, out := listOf(t, d, "-list", "-json", "-name", "tea")
	require.Zero(t, code, out)
	var c contents.Contents
	require.NoError(t, json.Unmarshal([]byte(out), &c))
	require.Contains(t, c.Flags, contents.Flag{Name: "name", Usage: "who speaks", Default: "nobody", Own: true})
	require.Contains(t, c.Flags, contents.Flag{Name: "list", Default: "false",
		Usage: "list the steps, questions and failures, and play nothing"})
	c.Flags = nil
	require.Equal(t, contents.Contents{Chapter: "99-test", Title: "a test", Script: "2 stall",
		Steps: []contents.Step{
			{Number: 1, Title: "One", Why: "Because."},
			{Number: 2, Title: "Two", Why: "Because.", Question: "Two, or three?", Answer: "Two."},
			{Number: 3, Title: "Three", Why: "Because."},
		},
		Faults: []contents.Fault{
			{Name: "broken", Steps: []contents.Step{{Title: "Broken", Why: "Because."}}},
			{Name: "late", Steps: []contents.Step{
				{Number: 2, Title: "Two", Why: "Because."},
				{Number: 3, Title: "Three", Why: "Because."},
			}},
		}}, c)
	_, out = listOf(t, Demo{Chapter: "99-test", Title: "a < b"}, "-list", "-json")
	require.Contains(t, out, "a < b", "read by people, too")
	require.Contains(t, out, `"faults": []`, "an empty list, for programs that go through it")
}

// What is asked for is refused as it is without -list, and the usage names -list.
func TestListRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-json"}, "! -json goes with -list\n"},
		{[]string{"-list", "-fault", "gremlins"}, `! there is no fault "gremlins"`},
		{[]string{"-list", "12"}, `! unexpected argument "12"`},
		{[]string{"-lst"}, "! flag provided but not defined: -lst"},
	} {
		code, out := listOf(t, threeSteps(), c.args...)
		require.Equal(t, 2, code, out)
		require.Contains(t, out, c.want)
		require.Contains(t, out, "  -list         list the steps")
		require.NotContains(t, out, "? Two", "nothing is listed")
	}
	code, out := listOf(t, Demo{Chapter: "99-test", Flags: func(f *flag.FlagSet) { f.Int("n", 1, "a number") }},
		"-list", "-n", "x")
	require.Equal(t, 2, code, out)
}
