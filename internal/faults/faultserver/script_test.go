package faultserver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

func TestAScriptNamesResources(t *testing.T) {
	s, err := Parse("configmaps 2.3 cut; deployments.apps 4 too-many 2s\n 1 gone;", "")
	require.NoError(t, err)
	var parts []string
	for _, p := range s.parts {
		parts = append(parts, p.String())
	}
	require.Equal(t, []string{"configmaps 2.3 cut", "deployments.apps 4 too-many 2s", "1 gone"}, parts)
	require.Len(t, s.of("configmaps").Faults(2, faults.Watch), 1)
	require.Empty(t, s.of("configmaps").Faults(4, faults.Watch))
	require.Len(t, s.of("deployments.apps").Faults(4, faults.List), 1)
	require.Empty(t, s.of("deployments.extensions").Faults(4, faults.List))
	require.Len(t, s.of("pods").Faults(1, faults.List), 1, "no resource is each resource")

	s, err = Parse("2.3 cut; pods 1 gone", "deployments")
	require.NoError(t, err)
	require.True(t, s.concerns("deployments.apps"), "the group may be left out")
	require.True(t, s.concerns("pods"))
	require.False(t, s.concerns("configmaps"))
}

func TestAScriptThatIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "the script has no fault in it",
		" ; ":                      "the script has no fault in it",
		"2.3 explode":              `fault "2.3 explode": there is no fault "explode"; there are cut, truncate, stall`,
		"configmaps 2.x cut":       `fault "2.x cut": the event "x" is not a number from 1`,
		"cut":                      `fault "cut": want REQUEST[.EVENT] KIND`,
		"configmaps cut":           `fault "configmaps cut": the request "configmaps" is not a number from 1`,
		"/api/v1/configmaps 1 cut": `fault "/api/v1/configmaps 1 cut": "/api/v1/configmaps" is no resource's name`,
		"pods 2.1 gone":            `write "2 gone"`,
	} {
		_, err := Parse(text, "")
		require.ErrorContains(t, err, want)
	}
	_, err := Parse("1 cut", "ConfigMap")
	require.ErrorContains(t, err, `"ConfigMap" is no resource's name: want one such as configmaps or deployments.apps`)
	_, err = Seeded(7, "x y")
	require.ErrorContains(t, err, "no resource's name")
}

func FuzzParse(f *testing.F) {
	f.Add("configmaps 2.3 cut; 4 gone", "pods")
	f.Fuzz(func(t *testing.T, text, only string) {
		s, err := Parse(text, only)
		if err != nil {
			return
		}
		var parts []string
		for _, p := range s.parts {
			parts = append(parts, p.String())
		}
		again, err := Parse(strings.Join(parts, ";"), only)
		require.NoError(t, err)
		require.Equal(t, s, again)
	})
}

func TestASeedIsAScriptForEachResource(t *testing.T) {
	s, err := Seeded(7, "")
	require.NoError(t, err)
	differ, stalls := false, 0
	for n := 1; n <= seededRequests; n++ {
		struck := s.of("pods").Faults(n, faults.Watch)
		require.NotEmpty(t, struck)
		require.Equal(t, struck, s.of("pods").Faults(n, faults.Watch))
		for _, f := range struck {
			if f.Kind == faults.Stall {
				stalls++
				require.Equal(t, seededStall, f.Lasts, "or else nothing comes after it")
			}
		}
		differ = differ || struck[0] != s.of("nodes").Faults(n, faults.Watch)[0]
	}
	require.True(t, differ)
	require.Positive(t, stalls, "a seed draws every kind")
	require.Empty(t, s.of("pods").Faults(seededRequests+1, faults.Watch))
	s, err = Seeded(7, "pods")
	require.NoError(t, err)
	require.False(t, s.concerns("nodes"))
}

func TestEachKindHasAMeaning(t *testing.T) {
	for _, k := range faults.Kinds {
		require.NotEmpty(t, meanings[k].does, k)
		for w := inWatch; w <= inList; w++ {
			script := faults.Written{{Request: 1, Kind: k}}
			if w != inList || len(script.Faults(1, faults.List)) > 0 {
				require.NotEmpty(t, meanings[k].asks[w], "%s%s", k, w)
			}
		}
		require.Contains(t, Catalogue(), "  "+string(k)+" ")
		text := strings.TrimSpace("1 " + string(k) + " " + meanings[k].takes)
		_, err := faults.Parse(text)
		require.NoError(t, err, "the example of the catalogue")
	}
	require.Len(t, meanings, len(faults.Kinds))
}
