package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestACopyThatLinksToItsOriginalIsRefused(t *testing.T) {
	original, scratch := t.TempDir(), t.TempDir()
	solution := filepath.Join("solutions", "01-one", "1-sum")
	require.NoError(t, os.MkdirAll(filepath.Join(original, solution), 0o755))
	whole := filepath.Join(scratch, "whole")
	require.NoError(t, os.MkdirAll(filepath.Join(whole, solution), 0o755))
	linked := filepath.Join(scratch, "linked")
	require.NoError(t, os.Mkdir(linked, 0o755))
	require.NoError(t, os.Symlink(filepath.Join(original, "solutions"), filepath.Join(linked, "solutions")))
	byLink := filepath.Join(scratch, "by-link")
	require.NoError(t, os.Symlink(whole, byLink))

	assert.NoError(t, inside(whole, filepath.Join(whole, solution)))
	assert.NoError(t, inside(byLink, filepath.Join(byLink, solution)), "the copy itself may be named by a link")
	assert.ErrorContains(t, inside(linked, filepath.Join(linked, solution)),
		"which is not in the copy: nothing was changed")
	assert.Error(t, inside(whole, filepath.Join(whole, "none")))
}

// Who typed make is answered in its words.
func TestUsage(t *testing.T) {
	assert.Contains(t, usage(true), "usage: make reset EX=NN.N ")
	assert.NotContains(t, usage(true), "go run")
	assert.Contains(t, usage(false), "usage: go run ./scripts/reset NN.N ")
}
