package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/demotest"
)

// withKubectl builds kubectl before a demo's clock runs.
func withKubectl(t *testing.T) {
	t.Helper()
	_, err := findKubectl()
	require.NoError(t, err)
}

// The demo shows what the lesson says it shows.
func TestDemo(t *testing.T) {
	withKubectl(t)
	out := demotest.Questions(t, demo())
	demotest.Has(t, out,
		"< 404 Not Found > POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions", // 1
		"*v1alpha1.Process is the kind Process of", "RESTMapper: its resource is processes, its scope namespace",
		"~ discovery requests: 1 for the first Process, 0 for the second",
		"< spec.command: Required value", // 2
		`< spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"`,
		"< spec.command: Invalid value: a process can't become another program",
		`< The Process "broken" is invalid: spec.command: Invalid value: "sleep 60": command is one program`,
		"not given 201 Created without it a warning Ignore 201 Created without it nothing",
		`Strict 400 Bad Request nothing an error < the warning: unknown field "spec.maxRestart" < the error: Process in`,
		`strict decoding error: unknown field "spec.maxRestart"`,
		`< spec: {"command":"sleep","gracePeriodSeconds":10,"restartPolicy":"Always"}`, // 3
		"POST, with a status none 10 1 a new one PUT, with a status none 10 1 the same",
		"PUT .../status, with a status and a spec Running 10 1 a new one",
		"PUT, with a spec and a status Running 20 2 a new one PUT, with a label Running 20 2 a new one",
		"the same again Running 20 2 the same",
		"as=PartialObjectMetadataList;g=meta.k8s.io;v=v1 Accept: application/json < 100 objects", // 4
		"< old: niceness=5, the same resourceVersion",                                            // 5
		`{"spec":{"maxRestarts":49}} < 422 Unprocessable Entity spec.maxRestarts: Invalid value: 49`,
		"< old: env=nothing > the CRD: with it again < old: env=[",
		"< 200 OK > the CRD: with it again < old: env=nothing =",
		"lost, as it was written gracePeriodSeconds=30 no grace period", // 6
		"lost, with the label gracePeriodSeconds=10 no grace period",
		"kept, converted no grace period gracePeriod=30s",
	)
	sizes := regexp.MustCompile(`(?m)^ +(typed|dynamic|metadata-only) .* ([\d,]+)$`).FindAllStringSubmatch(out, -1)
	require.Len(t, sizes, 3, out)
	var bytes []int
	for _, row := range sizes {
		n, err := strconv.Atoi(strings.ReplaceAll(row[2], ",", ""))
		require.NoError(t, err)
		bytes = append(bytes, n)
	}
	require.Equal(t, bytes[0], bytes[1], "one request, one answer")
	require.Less(t, bytes[2], bytes[0]*3/4, "without spec and status")
}

// Each failure shows what the table of the lesson says of it.
func TestDemoFaults(t *testing.T) {
	for fault, shown := range map[string][]string{
		"too-early": {`< no matches for kind "Process" in version "trial.scratch-10-`,
			"client-go, eager no match no match no match",
			"client-go, deferred no match no match processes", "ours no match processes no Reset"},
		"not-registered": {"< no kind is registered for the type v1alpha1.Process in scheme",
			`< no kind "Process" is registered for version "scratch.example.com/v1alpha1" in scheme`,
			"~ both have been told of Process", "< [scratch.example.com/v1alpha1, Kind=Process] < *v1alpha1.Process ="},
		"typo": {`"gracePeriodSecond":60}} < 201 Created < spec: {"command":"sleep","gracePeriodSeconds":10,`,
			`unknown field "spec.gracePeriodSecond"`},
		"zero": {"int32, omitempty nothing 1 *int32, omitempty 0 0"},
		"no-subresource": {"with the subresource the status is dropped 1, then 1 200 OK",
			"without it the status is written 1, then 2 404 Not Found"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			demotest.Has(t, demotest.Play(t, demo(), "-fault", fault), shown...)
		})
	}
	demotest.Has(t, demotest.Refused(t, demo(), "-fault", "explode"), `there is no fault "explode"`)
}

// The commands of -interactive do what the chapter is about.
func TestInteractive(t *testing.T) {
	demotest.Interactive(t, demo(), "",
		demotest.Typed{Command: "api-resources --categories=scratch",
			Shows: []string{"processes proc", "processsets procset"}},
		demotest.Typed{Command: "get scratch",
			Shows: []string{"process.scratch.example.com/fig", "processset.scratch.example.com/fig"}},
		demotest.Typed{Command: "explain proc.spec", Shows: []string{"command"}},
		demotest.Typed{Command: "patch proc fig",
			Shows: []string{"a process can't become another program"}, Fails: true},
		demotest.Typed{Command: "patch proc fig", Shows: []string{"it needs restartPolicy OnFailure"}, Fails: true},
		demotest.Typed{Command: "scale procset fig", Shows: []string{"fig scaled"}},
		demotest.Typed{Command: "--subresource=status", Shows: []string{"fig patched"}},
		demotest.Typed{Command: "get proc fig -o yaml", Shows: []string{"phase: Running"}})
}
