// Package workqueuetest is what any implementation of workqueue has to pass, for later chapters' tests, too.
package workqueuetest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Run runs the suite. ⟨to be written⟩
func Run(t *testing.T, sum func(numbers []int) int) {
	t.Run("of some", func(t *testing.T) { require.Equal(t, 6, sum([]int{1, 2, 3})) })
	t.Run("of none", func(t *testing.T) { require.Zero(t, sum(nil)) })
}
