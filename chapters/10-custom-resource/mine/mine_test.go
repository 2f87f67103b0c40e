package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/minetest"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// Whoever has written all three exercises sees them at work, and whoever has written one sees that one among the
// chapter's.
func TestMineOnTheSolutions(t *testing.T) {
	minetest.Run(t, nil, func() {
		demotest.Has(t, demotest.Play(t, demo(pieces{true, true, true})),
			"yours: deep copy, Scheme, Finder",
			"*v1alpha1.Process is the kind Process of scratch.example.com/v1alpha1",
			"a Process of scratch.example.com/v1alpha1: sleep [60]",
			"networking.k8s.io/v1 Ingress: /apis/networking.k8s.io/v1/namespaces/",
			"v1 Endpoints: /api/v1/namespaces/",
			"your Finder has sent 7 requests",
			`your Scheme: {"command":"sleep","restartPolicy":"Never","gracePeriodSeconds":10}`,
			`your Scheme: {"command":"sleep","restartPolicy":"Always","gracePeriodSeconds":0}`,
			"your copy, as JSON, is the generated one's",
			"is as it came")
		demotest.Has(t, demotest.Play(t, demo(pieces{finder: true})), "yours: Finder", "has sent 7 requests")
		demotest.Has(t, demotest.Play(t, demo(pieces{scheme: true})), "yours: Scheme", "is filled in alike")
	})
}

// What is wrong fails here, too, and is sent to its grader.
func TestMineOnWrongSolutions(t *testing.T) {
	minetest.Run(t, map[string]string{"1-deepcopy": "metadata-is-assigned", "2-scheme": "zero-is-nothing",
		"3-url": "each-entry-is-a-resource"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{copy: true})), `metadata.labels["app"] was written to in your copy`,
			"make grade EX=10.1 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{scheme: true})), "filled in something else than your Scheme",
			"make grade EX=10.2 says more")
		demotest.Has(t, demotest.Fails(t, demo(pieces{finder: true})), "processes/status",
			"make grade EX=10.3 says more")
	})
}

// A kind that comes later is asked for, too.
func TestMineOnAFinderThatKeepsANo(t *testing.T) {
	minetest.Run(t, map[string]string{"3-url": "a-miss-is-kept"}, func() {
		demotest.Has(t, demotest.Fails(t, demo(pieces{finder: true})), "Process: no match, and then its CRD is installed",
			"the Finder says: no matches for kind", "make grade EX=10.3 says more")
	})
}

func TestWhosePieces(t *testing.T) {
	require.True(t, pieces{}.none())
	require.Equal(t, "yours: Finder; the book's: deep copy, Scheme", pieces{finder: true}.String())
	require.Len(t, demo(pieces{finder: true, copy: true}).Steps, 2)
}
