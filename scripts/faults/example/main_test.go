package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults/faultserver"
)

// What it prints is recorded in docs/faults.md, which the check `recordings` compares.
func TestWhatIsRefused(t *testing.T) {
	for line, want := range map[string]string{
		"-script|1.3 explode": `there is no fault "explode"`,
		"-v|loud":             "-v loud is no number",
		"-nope":               "flag provided but not defined: -nope",
	} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, run(t.Context(), strings.Split(line, "|"), &out, &errs), line)
		require.Contains(t, errs.String(), want)
		require.Empty(t, out.String(), "nothing was started")
	}
	_, err := faultserver.Parse(standard, "")
	require.NoError(t, err)
}
