package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

func TestMain(m *testing.M) { cluster.Main(m) }

func TestWithoutAScriptTheFaultsAreListed(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, 2, run(t.Context(), nil, &out, &errs))
	require.Empty(t, out.String())
	require.Contains(t, errs.String(), "\nfaults: nothing is to go wrong: give a script or a seed\n")
	for _, k := range faults.Kinds {
		require.Contains(t, errs.String(), "\n  "+string(k)+" ")
	}
	require.Zero(t, run(t.Context(), []string{"-h"}, &out, &errs))
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, len(strings.TrimSpace(line)), 100)
	}
}

func TestTheUsageNamesEachFlag(t *testing.T) {
	var out bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-h"}, &out, &out))
	(&options{}).flags().VisitAll(func(f *flag.Flag) { require.Contains(t, out.String(), "\n  -"+f.Name+" ") })
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	for _, name := range []string{"SCRIPT", "SEED", "RESOURCE", "PORT", "FILE", "FOR", "VERBOSE"} {
		require.Contains(t, out.String(), name+"=")
		require.Contains(t, string(makefile), "$(if $("+name+"),")
	}
}

func TestWhatIsRefused(t *testing.T) {
	for line, want := range map[string]string{
		"-script|2.3 explode":      `faults: fault "2.3 explode": there is no fault "explode"; there are cut, truncate`,
		"-script|cut":              "(`go run ./scripts/faults -h` lists the faults)",
		"-script|1 cut|-seed|7":    "faults: a script and a seed: give one of them",
		"-seed|x":                  `faults: the seed "x" is not a number from 0`,
		"-seed|7x":                 `faults: the seed "7x" is not a number from 0`,
		"-seed|-1":                 `faults: the seed "-1" is not a number from 0`,
		"-seed|7|-resource|a/b":    `faults: "a/b" is no resource's name`,
		"-script|2.3|cut":          `faults: unexpected argument "cut": a script with spaces stands in quotes`,
		"-seed|7|-port|70000":      "faults: -port 70000 is no port",
		"-seed|7|-for|-1s":         "faults: -for -1s lies in the past",
		"-seed|7|-nope":            "faults: flag provided but not defined: -nope (`go run ./scripts/faults -h` lists",
		"-seed|7|-for|5":           `invalid value "5" for flag -for: parse error: want a time such as 90s or 5m`,
		"-seed|7|-port|x":          `invalid value "x" for flag -port: parse error: want a number from 1 to 65535`,
		"-script|1 too-many 500ms": `too-many takes whole seconds from 1s on, such as 2s, because Retry-After`,
		"-script| ; ":              "faults: the script has no fault in it",
		"-script|configmaps 0 cut": `the request "0" is not a number from 1`,
	} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, run(t.Context(), strings.Split(line, "|"), &out, &errs), line)
		require.Contains(t, strings.Join(strings.Fields(errs.String()), " "), want)
		require.Empty(t, out.String(), "nothing was started")
	}
}
