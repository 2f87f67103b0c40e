package owned_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// A name is a set's only if the set would have made it.
func TestNumber(t *testing.T) {
	for name, want := range map[string]int{"web-0": 0, "web-7": 7, "web-10": 10,
		"web-" + strconv.Itoa(math.MaxInt): math.MaxInt} {
		number, ok := owned.Number("web", name)
		require.True(t, ok, name)
		require.Equal(t, want, number, name)
	}
	for _, name := range []string{"", "web", "web-", "web-07", "web-00", "web-+7", "web--1", "web-blue", "web-7-x",
		"web-7 ", "web-0x7", "web-1_000", "web-٧", "webs-3", "we-3", "a-web-3", "web-99999999999999999999"} {
		_, ok := owned.Number("web", name)
		require.False(t, ok, name)
	}
	number, ok := owned.Number("web-7", "web-7-3")
	require.True(t, ok)
	require.Equal(t, 3, number)
}

// What was made is read back.
func TestNumberOfAName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.StringMatching(`[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?`).Draw(t, "set")
		want := rapid.IntMin(0).Draw(t, "number")
		number, ok := owned.Number(set, owned.Name(set, want))
		require.True(t, ok)
		require.Equal(t, want, number)
	})
}

// A set that says nothing that can be read has had no children.
func TestNext(t *testing.T) {
	set := web(1)
	require.Zero(t, owned.Next(set))
	for text, want := range map[string]int{"0": 0, "7": 7, "": 0, "-1": 0, "blue": 0, "7.5": 0,
		"99999999999999999999": 0} {
		set.Annotations = map[string]string{owned.NextNumber: text}
		require.Equal(t, want, owned.Next(set), text)
	}
}

// Numbers rise, whatever the order in which children are shown, and apart for each set.
func TestNumbers(t *testing.T) {
	var numbers owned.Numbers
	numbers.Forget(ours)
	require.Zero(t, numbers.Next(ours))
	for _, name := range []string{"web-4", "web-2", "web-blue", "webs-9", "web-07"} {
		numbers.Shown(ours, "web", name)
		require.Equal(t, 5, numbers.Next(ours), name)
	}
	require.Zero(t, numbers.Next(theirs))
	numbers.Shown(theirs, "web", "web-0")
	require.Equal(t, 1, numbers.Next(theirs))
	numbers.Forget(ours)
	require.Zero(t, numbers.Next(ours))
	require.Equal(t, 1, numbers.Next(theirs))
}
