package claims

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/yaml"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard()) // or what is refused on purpose is logged
	log.SetLogger(logr.Discard())
	cluster.Main(m)
}

// stage is a test's namespace, on a server that has the book's kinds.
type stage struct {
	*cluster.Cluster
	t       *testing.T
	dynamic *dynamic.DynamicClient
}

func newStage(t *testing.T) *stage {
	t.Helper()
	c := cluster.New(t)
	client, err := dynamic.NewForConfigAndClient(kube.RESTConfig(t, c.Cluster), c.HTTPClient())
	require.NoError(t, err)
	require.NoError(t, install.CRDs(t.Context(), client))
	return &stage{c, t, client}
}

// ask sends a request, and gives the answer whatever its code.
func (s *stage) ask(method, path string, body any, headers ...string) scenario.Answer {
	s.t.Helper()
	response, raw := s.Do(method, path, body, headers...)
	return scenario.Answer{Code: response.StatusCode, Header: response.Header, Body: raw}
}

// must is ask for what has to succeed.
func (s *stage) must(method, path string, body any, headers ...string) scenario.Answer {
	s.t.Helper()
	a := s.ask(method, path, body, headers...)
	require.True(s.t, a.OK(), "%s %s: %s", method, path, a.Body)
	return a
}

// path is where the objects of the book's own group are, or one of them, or a subresource of it.
func (s *stage) path(resource string, rest ...string) string {
	return strings.Join(append([]string{
		"/apis/scratch.example.com/v1alpha1/namespaces", s.Namespace, resource}, rest...), "/")
}

// object is an object as JSON has it.
type object = scenario.Object

// booked is an object of the book's own group.
func booked(kind, name string, spec object) object {
	return object{"apiVersion": v1alpha1.GroupVersion.String(), "kind": kind,
		"metadata": object{"name": name}, "spec": spec}
}

// process is a Process with a spec of these fields. Its command is sleep unless they say otherwise.
func process(name string, fields object) object {
	return booked("Process", name, with(sleeping(), fields))
}

func sleeping() object { return object{"command": "sleep"} }

// with is an object with other fields in the place of its own. What is nil is left out.
func with(o, fields object) object {
	merged := object{}
	for _, from := range []object{o, fields} {
		for name, value := range from {
			merged[name] = value
			if value == nil {
				delete(merged, name)
			}
		}
	}
	return merged
}

// crds is the path of all CustomResourceDefinitions.
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// inEffectWithin is how long the server may take to go by what it was told, on a busy machine.
const inEffectWithin = time.Minute

// until asks for something that nothing announces: there is no event to wait for, so that it is asked again and again.
func (s *stage) until(what string, holds func() bool) {
	s.t.Helper()
	err := wait.PollUntilContextTimeout(s.t.Context(), 20*time.Millisecond, inEffectWithin, true,
		func(context.Context) (bool, error) { return holds(), nil })
	require.NoError(s.t, err, "after %s it is not so that %s", inEffectWithin, what)
}

// experiment is a kind of the test's own, in a group of its own: the book's Process, as the test changes it.
type experiment struct {
	*stage
	group string
	name  string // of the definition
	spec  object // of the definition, as it was sent last
	turn  int    // how often it was sent
}

// experiment makes such a kind and returns when it is served. The definition is deleted at the end of the test. Its
// group comes after the book's in the order of the alphabet: kubectl takes the first group that has what it is asked
// for by a short name, and other tests ask this API server for processes meanwhile.
func (s *stage) experiment(change func(spec object)) *experiment {
	s.t.Helper()
	content, err := os.ReadFile("../api/crds/scratch.example.com_processes.yaml")
	require.NoError(s.t, err)
	var crd object
	require.NoError(s.t, yaml.Unmarshal(content, &crd))
	e := &experiment{stage: s, group: "z" + lab.Suffix() + ".scratch.example.com", spec: crd["spec"].(object)}
	e.name = "processes." + e.group
	e.spec["group"] = e.group
	names := e.spec["names"].(object)
	delete(names, "shortNames") // or `kubectl get proc` would find these
	delete(names, "categories")
	if change != nil {
		change(e.spec)
	}
	e.mark()
	crd["metadata"] = object{"name": e.name}
	s.must(http.MethodPost, crds, crd)
	s.t.Cleanup(func() {
		url := s.Server.String() + crds + "/" + e.name
		_, err := lab.MustSendJSON(context.Background(), s.HTTPClient(), http.MethodDelete, url, nil)
		require.NoError(s.t, err)
	})
	e.await()
	return e
}

// change changes the definition, and returns when the server goes by it.
func (e *experiment) change(change func(spec object)) {
	e.t.Helper()
	change(e.spec)
	e.mark()
	e.must(http.MethodPatch, crds+"/"+e.name, object{"spec": object{"versions": e.spec["versions"]}})
	e.await()
}

// mark gives the definition a field whose default is the number of this turn.
func (e *experiment) mark() {
	e.turn++
	for _, version := range e.spec["versions"].([]any) {
		schemaOf(version.(object))["turn"] = object{"type": "integer", "default": e.turn}
	}
}

// await returns when an object that is not stored gets the mark, in each version. Nothing announces that.
func (e *experiment) await() {
	e.t.Helper()
	for _, v := range e.spec["versions"].([]any) {
		version := v.(object)["name"].(string)
		if v.(object)["served"] != true {
			continue
		}
		body := e.object(version, "probe", sleeping())
		e.until(e.name+" is served as it was sent, in "+version, func() bool {
			return e.ask(http.MethodPost, e.at(version)+"?dryRun=All", body).Field("turn") == strconv.Itoa(e.turn)
		})
	}
}

// at is where the objects are in a version, or one of them, or a subresource of it.
func (e *experiment) at(version string, rest ...string) string {
	return strings.Join(append([]string{
		"/apis", e.group, version, "namespaces", e.Namespace, "processes"}, rest...), "/")
}

// object is an object of the kind.
func (e *experiment) object(version, name string, spec object) object {
	return object{"apiVersion": e.group + "/" + version, "kind": "Process",
		"metadata": object{"name": name}, "spec": spec}
}

// version is what a definition says of its version of this number.
func version(spec object, n int) object { return spec["versions"].([]any)[n].(object) }

// schemaOf are the schemas of a version's fields.
func schemaOf(version object) object {
	return version["schema"].(object)["openAPIV3Schema"].(object)["properties"].(object)
}

// fieldsOf are the schemas of the fields of spec in a version.
func fieldsOf(version object) object {
	return schemaOf(version)["spec"].(object)["properties"].(object)
}
