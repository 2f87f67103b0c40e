package faults_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

func TestParse(t *testing.T) {
	script, err := faults.Parse("2.3 cut; 4 too-many 2s\n5 away 3;;6.1 delay 100ms; 7 expired")
	require.NoError(t, err)
	require.Equal(t, faults.Written{
		{Request: 2, Event: 3, Kind: faults.Cut, After: time.Second, Count: 1},
		{Request: 4, Kind: faults.TooMany, After: 2 * time.Second, Count: 1},
		{Request: 5, Kind: faults.Away, After: time.Second, Count: 3},
		{Request: 6, Event: 1, Kind: faults.Delay, After: 100 * time.Millisecond, Count: 1},
		{Request: 7, Event: 1, Kind: faults.Expired, After: time.Second, Count: 1},
	}, script)
	var lines []string
	for _, f := range script {
		lines = append(lines, f.String())
	}
	again, err := faults.Parse(strings.Join(lines, ";"))
	require.NoError(t, err)
	require.Equal(t, script, again)
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"cut":               `fault "cut": want REQUEST[.EVENT] KIND`,
		"x cut":             `the request "x" is not a number from 1`,
		"1.0 cut":           `the event "0" is not a number from 1`,
		"1 explode":         `there is no fault "explode"; there are cut, truncate, stall`,
		"1 cut 3":           "cut takes no argument",
		"1 cut, 2 gone":     "a semicolon stands between two faults, and not a comma",
		"1 cut 2 gone":      "a semicolon stands between two faults, and each is REQUEST[.EVENT] KIND [ARGUMENT]",
		"1.2 stall x":       `stall takes no argument, or a time such as 30s, and not "x"`,
		"1.2 stall 0s":      `stall takes no argument, or a time such as 30s, and not "0s"`,
		"1 away x":          `away takes a number of requests from 1, and not "x"`,
		"1 away 0":          `away takes a number of requests from 1, and not "0"`,
		"1 delay x":         `delay takes a time such as 500ms or 2s, and not "x"`,
		"1 too-many -1s":    `too-many takes whole seconds from 1s on, such as 2s, because Retry-After can say no others`,
		"1 too-many 0s":     `and not "0s"`,
		"1 too-many 2":      `and not "2"`,
		"1 too-many 500ms":  `and not "500ms"`,
		"1 too-many 1500ms": `and not "1500ms"`,
		"1.2 gone":          `gone happens to a whole request and not to an event of it: write "1 gone"`,
	} {
		_, err := faults.Parse(text)
		require.ErrorContains(t, err, want)
	}
}

func TestSeeded(t *testing.T) {
	a, b, other := faults.Seeded(7, 100), faults.Seeded(7, 100), faults.Seeded(8, 100)
	kinds, differ := map[faults.Kind]int{}, false
	for n := 1; n <= 100; n++ {
		f := a.Faults(n, faults.Watch)
		require.NotEmpty(t, f, "each watch fails, or the run stops at the first that does not")
		require.Equal(t, f, b.Faults(n, faults.Watch))
		require.Equal(t, a.Faults(n, faults.List), b.Faults(n, faults.List))
		differ = differ || f[0] != other.Faults(n, faults.Watch)[0]
		kinds[f[0].Kind]++
	}
	require.True(t, differ)
	require.Len(t, kinds, len(faults.Kinds))
	require.Empty(t, a.Faults(101, faults.Watch), "the run can end")
	for n := 1; n <= 100; n++ {
		require.Equal(t, faults.Stall, faults.Seeded(1, 100, faults.Stall).Faults(n, faults.Watch)[0].Kind)
	}
}
