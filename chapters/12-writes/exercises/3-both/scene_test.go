package both_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/exercises/3-both"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// fields is the JSON of an object, or of a part of one.
type fields = map[string]any

// scene is one object, the server that has it, and controller-runtime's client between the two.
type scene struct {
	t             *testing.T
	name          string // what is tried
	before, after client.Object
	shared        bool // after has maps of before
	real          bool // time is not virtual
	client        client.Client

	mu       sync.Mutex
	object   fields // what is stored: nil if it is gone
	requests []request
	answers  []fields
	options  int // that the client was given
	touched  string
	was      string // before, as JSON

	// arrives is called with each request, before it is looked at, and leaves when it has been stored. An error is the
	// answer in both cases. They may change what is stored. Either may be nil.
	arrives, leaves func(n int) error
}

// A request is one that the server has got.
type request struct {
	method, part, kind, query string
	version                   any // nil if it has none
	body                      fields
	asked                     bool // its context has what the test's has
}

// String says `PATCH status at "41" {"status":{"ready":1}}`.
func (r request) String() string {
	version := "without a version"
	if r.version != nil {
		version = "at " + text(r.version)
	}
	return cut(strings.Join([]string{r.method, r.part, version, text(r.body)}, " "))
}

// The two parts of an object, as requests name them.
const (
	status = "status"
	root   = "object"
)

type key struct{}

// play makes a scene. The server has what before is.
func play(t *testing.T, name string, before, after client.Object, plan func(*scene)) *scene {
	t.Helper()
	if strings.Contains(jsonOf(before)+jsonOf(after), ":null") {
		t.Fatal(name + ": there is a null, which the assignment rules out")
	}
	s := &scene{t: t, name: name, before: before, after: after, was: jsonOf(before), object: stored(before)}
	s.client = newClient(t, s)
	if plan != nil {
		plan(s)
	}
	return s
}

// newClient makes one that speaks to a server in memory.
func newClient(t *testing.T, server http.RoundTripper) client.Client {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, kind := range kinds {
		scope := meta.RESTScope(meta.RESTScopeNamespace)
		if kind.Kind == "Node" {
			scope = meta.RESTScopeRoot
		}
		mapper.Add(kind, scope)
	}
	c, err := client.New(&rest.Config{Host: "http://memory", QPS: -1, Transport: server,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}},
		client.Options{Scheme: scheme.Scheme, Mapper: mapper})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// kinds are those that the server knows, by their resources.
var kinds = map[string]schema.GroupVersionKind{
	"deployments":          {Group: "apps", Version: "v1", Kind: "Deployment"},
	"poddisruptionbudgets": {Group: "policy", Version: "v1", Kind: "PodDisruptionBudget"},
	"widgets":              {Group: "shop.example.com", Version: "v1", Kind: "Widget"},
	"nodes":                {Version: "v1", Kind: "Node"},
}

// save calls the learner's.
func (s *scene) save() error { return s.saveWith(context.Background()) }

func (s *scene) saveWith(ctx context.Context) error {
	began := time.Now()
	err := Save(context.WithValue(ctx, key{}, s), writer{s}, s.before, s.after)
	took := time.Since(began)
	s.expect(took == 0 || s.real, "Save waits for nothing but the Writer", fmt.Sprintf("it took %v besides", took), "")
	return err
}

// writer is a client of which nothing but the Writer is to be seen.
type writer struct{ s *scene }

func (w writer) Patch(ctx context.Context, o client.Object, p client.Patch, opts ...client.PatchOption) error {
	w.s.given(len(opts))
	return w.s.client.Patch(ctx, o, p, opts...)
}

func (w writer) Status() client.SubResourceWriter { return statusWriter{w.s.client.Status(), w.s} }

type statusWriter struct {
	client.SubResourceWriter
	s *scene
}

func (w statusWriter) Patch(ctx context.Context, o client.Object, p client.Patch,
	opts ...client.SubResourcePatchOption) error {
	w.s.given(len(opts))
	return w.SubResourceWriter.Patch(ctx, o, p, opts...)
}

func (s *scene) given(options int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.options += options
}

// RoundTrip is the API server. It implements http.RoundTripper.
func (s *scene) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.receive(r)
	if s.arrives != nil {
		if err := s.arrives(n); err != nil {
			return respond(r, nil, err)
		}
	}
	answer, err := s.write(s.requests[n-1])
	if err == nil {
		s.answers = append(s.answers, answer)
		if s.leaves != nil {
			err = s.leaves(n)
		}
	}
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	return respond(r, answer, err)
}

// receive writes down a request, and returns which one it is.
func (s *scene) receive(r *http.Request) int {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	got := request{method: r.Method, part: root, kind: r.Header.Get("Content-Type"), query: r.URL.RawQuery,
		body: parse(string(body)), asked: r.Context().Value(key{}) == any(s)}
	if strings.HasSuffix(r.URL.Path, "/status") {
		got.part = status
	}
	if m, ok := got.body["metadata"].(fields); ok {
		if version, ok := m["resourceVersion"]; ok {
			got.version = version
			delete(m, "resourceVersion")
		}
	}
	tidy(got.body, parse(s.was))
	if m, ok := got.body["metadata"].(fields); ok && len(m) == 0 {
		delete(got.body, "metadata")
	}
	if s.touched == "" && jsonOf(s.before) != s.was {
		s.touched = jsonOf(s.before)
	}
	s.requests = append(s.requests, got)
	return len(s.requests)
}

var widgets = schema.GroupResource{Group: "shop.example.com", Resource: "widgets"}

// write does what a request says, and returns the answer.
func (s *scene) write(r request) (fields, error) {
	switch {
	case r.method != http.MethodPatch:
		return nil, apierrors.NewMethodNotSupported(widgets, strings.ToLower(r.method))
	case r.kind != "application/merge-patch+json":
		return nil, apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "patch", widgets, "shop",
			"the server takes merge patches", 0, false)
	case s.object == nil:
		return nil, apierrors.NewNotFound(widgets, "shop")
	case r.version != nil && r.version != at(s.object, "metadata", "resourceVersion"):
		return nil, apierrors.NewConflict(widgets, "shop", errors.New("the object has been modified"))
	}
	next := copied(s.object)
	if body := copied(r.body); r.part == status {
		merge(next, only(body, func(name string) bool { return name == status }))
	} else {
		merge(next, only(body, func(name string) bool { return name != status }))
	}
	s.store(next)
	return copied(next), nil
}

// store makes an object the one that is stored, if anything in it has changed.
func (s *scene) store(next fields) {
	old, metadata := s.object, next["metadata"].(fields)
	for _, name := range servers {
		if delete(metadata, name); at(old, "metadata", name) != nil {
			metadata[name] = at(old, "metadata", name)
		}
	}
	settle(next)
	if text(old) == text(next) {
		return
	}
	outside := func(name string) bool { return name != status && name != "metadata" }
	if text(only(old, outside)) != text(only(next, outside)) {
		metadata["generation"] = json.Number(strconv.Itoa(number(metadata["generation"]) + 1))
	}
	version := number(metadata["resourceVersion"])
	metadata["resourceVersion"] = strconv.Itoa(version + 3 + version%5)
	metadata["managedFields"] = []any{fields{"manager": "shop", "operation": "Update", "time": moment(version)}}
	s.object = next
	if left, _ := metadata["finalizers"].([]any); metadata["deletionTimestamp"] != nil && len(left) == 0 {
		s.object = nil
	}
}

// servers are the fields of metadata that the server keeps.
var servers = []string{"name", "namespace", "uid", "resourceVersion", "generation", "managedFields",
	"creationTimestamp", "deletionTimestamp"}

func moment(n int) string { return time.Unix(1600000000+int64(n), 0).UTC().Format(time.RFC3339) }

// settle does what a server does with some objects before it stores them: a widget's size has a default, a field that
// its schema does not have is dropped, and so is a Deployment's field that belongs to a feature that is off.
func settle(object fields) {
	if below, ok := object[status].(fields); ok && object["kind"] == "Deployment" {
		delete(below, "terminatingReplicas")
	}
	if spec, ok := object["spec"].(fields); ok && object["kind"] == "Widget" {
		delete(spec, "unknown")
		if spec["size"] == nil {
			spec["size"] = "medium"
		}
	}
}

// meets waits for a request until those of the others are there.
func (s *scene) meets(others <-chan struct{}) {
	select {
	case <-others:
	case <-time.After(3 * time.Second): // of real time, if one of them waits for this one
		s.expect(false, "no one of them waits for another", "there was one request, and for three seconds no other", "")
	}
}

// another has somebody else write.
func (s *scene) another(patch string) {
	next := copied(s.object)
	merge(next, parse(patch))
	s.store(next)
}

func respond(r *http.Request, answer fields, err error) (*http.Response, error) {
	code, body := http.StatusOK, text(answer)
	if refused := apierrors.APIStatus(nil); errors.As(err, &refused) {
		said := refused.Status()
		said.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
		out, _ := json.Marshal(said)
		code, body = int(said.Code), string(out)
	} else if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {runtime.ContentTypeJSON}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// merge does what RFC 7396 says.
func merge(into, patch fields) {
	for name, value := range patch {
		below, ok := value.(fields)
		switch {
		case value == nil:
			delete(into, name)
		case ok:
			old, ok := into[name].(fields)
			if !ok {
				old = fields{}
				into[name] = old
			}
			merge(old, below)
		default:
			into[name] = value
		}
	}
}

// expect reports a verdict unless it is so.
func (s *scene) expect(so bool, expected, happened, belief string) {
	s.t.Helper()
	if !so && !s.t.Failed() {
		exercise.Report(s.t, exercise.Verdict{Expected: s.name + ": " + expected, Happened: happened, PointsTo: belief})
	}
}

// JSON.

func parse(of string) fields {
	decoder := json.NewDecoder(strings.NewReader(of))
	decoder.UseNumber()
	var into fields
	if decoder.Decode(&into) != nil {
		return nil
	}
	return into
}

func text(of any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(of)
	return strings.TrimSpace(b.String())
}

func jsonOf(o any) string { return text(o) }

func copied(of fields) fields { return parse(text(of)) }

// stored is an object as the server has it.
func stored(o client.Object) fields {
	all := parse(jsonOf(o))
	for _, kind := range kinds {
		if strings.HasSuffix(reflect.TypeOf(o).String(), "."+kind.Kind) {
			all["apiVersion"], all["kind"] = kind.GroupVersion().String(), kind.Kind
		}
	}
	return all
}

func only(of fields, wanted func(string) bool) fields {
	some := fields{}
	for name, value := range of {
		if wanted(name) {
			some[name] = value
		}
	}
	return some
}

func at(of any, path ...string) any {
	for _, name := range path {
		below, _ := of.(fields)
		of = below[name]
	}
	return of
}

func number(of any) int {
	n, _ := strconv.Atoi(fmt.Sprint(of))
	return n
}

func cut(long string) string {
	if len(long) > 600 {
		return long[:600] + "..."
	}
	return long
}

// A wish is a request that the assignment asks for. Its version is not told.
type wish struct {
	part string
	body fields
}

func (w wish) String() string { return cut(fmt.Sprintf("PATCH %s %s", w.part, text(w.body))) }

// wishes are what the assignment asks for, computed from the JSON of both.
func wishes(before, after string) (those []wish) {
	was, is := parse(before), parse(after)
	for _, part := range []string{status, root} {
		here := func(name string) bool { return (name == status) == (part == status) }
		if d := difference(only(was, here), only(is, here)); len(d) > 0 {
			those = append(those, wish{part, d})
		}
	}
	return those
}

// difference is the merge patch that makes is of was, without what the server keeps.
func difference(was, is fields) fields {
	patch := changes(was, is)
	if m, ok := patch["metadata"].(fields); ok {
		for _, name := range []string{"resourceVersion", "generation", "managedFields"} {
			delete(m, name)
		}
		if len(m) == 0 {
			delete(patch, "metadata")
		}
	}
	return patch
}

func changes(was, is fields) fields {
	patch := fields{}
	for name := range was {
		if _, ok := is[name]; !ok {
			patch[name] = nil
		}
	}
	for name, now := range is {
		old, ok := was[name]
		a, both := old.(fields)
		b, objects := now.(fields)
		switch {
		case !ok || !(both && objects) && !reflect.DeepEqual(old, now):
			patch[name] = now
		case both && objects:
			if d := changes(a, b); len(d) > 0 {
				patch[name] = d
			}
		}
	}
	return patch
}

// tidy leaves out of a patch what changes nothing: an empty object where there is an object.
func tidy(patch fields, was any) {
	for name, value := range patch {
		below, ok := value.(fields)
		if !ok {
			continue
		}
		tidy(below, at(was, name))
		if _, there := at(was, name).(fields); there && len(below) == 0 {
			delete(patch, name)
		}
	}
}

// tries saves, and expects what is asked for. If there is a request with the number fails, it is one that fails.
func (s *scene) tries(fails int) error {
	s.t.Helper()
	return s.triesWith(context.Background(), fails)
}

func (s *scene) triesWith(ctx context.Context, fails int) error {
	s.t.Helper()
	was := jsonOf(s.after)
	want := wishes(s.was, was)
	if 0 < fails && fails < len(want) {
		want = want[:fails]
	}
	err := s.saveWith(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.touched == "" && jsonOf(s.before) != s.was {
		s.touched = jsonOf(s.before)
	}
	belief := map[bool]string{false: mine}[s.shared]
	s.expect(s.touched == "", "nothing of before changes", "it was "+cut(s.was)+" and became "+cut(s.touched), belief)
	s.compare(want, fails > 0 && fails <= len(want))
	if fails > 0 && fails <= len(want) {
		s.expect(err != nil, fmt.Sprintf("request %d of %d fails: Save returns an error", fails, len(want)),
			"it has returned none", "")
		s.expect(jsonOf(s.after) == was, "Save has failed: after is as it was before the call",
			fmt.Sprintf("it was %s and became %s. %s", cut(was), cut(jsonOf(s.after)), s.sent()), "")
		return err
	}
	s.expect(err == nil, "Save returns no error", fmt.Sprintf("it has returned %v. %s", err, s.sent()), "")
	if len(want) == 0 {
		s.expect(jsonOf(s.after) == was, "there is nothing to send: after is as it was",
			fmt.Sprintf("it was %s and became %s", cut(was), cut(jsonOf(s.after))), "")
	} else {
		s.holds(s.answers[len(s.answers)-1])
	}
	return err
}

// holds expects after to be an answer.
func (s *scene) holds(answer fields) {
	s.t.Helper()
	fresh := reflect.New(reflect.TypeOf(s.after).Elem()).Interface()
	if err := json.Unmarshal([]byte(text(answer)), fresh); err != nil {
		s.t.Fatal(err)
	}
	want, got := parse(jsonOf(fresh)), parse(jsonOf(s.after))
	for _, name := range []string{"apiVersion", "kind"} { // a Go type may have them or not
		delete(want, name)
		delete(got, name)
	}
	s.expect(text(want) == text(got), "after is the answer to the last request, "+cut(text(want)),
		"it was "+cut(text(got)), "")
}

// compare expects the requests to be those that are asked for, with their versions.
func (s *scene) compare(want []wish, fails bool) {
	s.t.Helper()
	texts := []string{}
	for _, w := range want {
		texts = append(texts, w.String())
	}
	asked := "nothing is sent"
	if len(texts) > 0 {
		asked = "sent are, with their versions: " + strings.Join(texts, ", then ")
	}
	same := len(want) == len(s.requests)
	for i, w := range want {
		same = same && s.requests[i].method == http.MethodPatch && s.requests[i].part == w.part &&
			s.requests[i].kind == "application/merge-patch+json" && text(s.requests[i].body) == text(w.body)
	}
	s.expect(same, asked, s.sent(), s.belief(want, fails))
	if s.t.Failed() {
		return
	}
	version := at(parse(s.was), "metadata", "resourceVersion")
	for i, r := range s.requests {
		if i > 0 {
			version = at(s.answers[0], "metadata", "resourceVersion")
		}
		s.expect(r.version == version, fmt.Sprintf("the version in request %d is %s", i+1, text(version)), s.sent(),
			versions(s.requests, i, s.was))
		s.expect(r.asked, "the Writer gets ctx, or one that is made from it", "request "+strconv.Itoa(i+1)+
			" has a context of its own", "")
		s.expect(r.query == "" && s.options == 0, "requests have no options", fmt.Sprintf(
			"the Writer was given %d in all, and the query of request %d is %q", s.options, i+1, r.query), "")
	}
}

// sent says what was.
func (s *scene) sent() string {
	var texts []string
	for i, r := range s.requests {
		says := r.String()
		if r.method == http.MethodPatch && r.kind != "application/merge-patch+json" {
			says += " of the type " + r.kind
		}
		if i == 4 {
			texts = append(texts, fmt.Sprintf("%d more", len(s.requests)-i))
			break
		}
		texts = append(texts, says)
	}
	if len(texts) == 0 {
		return "nothing was sent"
	}
	return "sent were: " + strings.Join(texts, ", then ")
}

const mine = "the belief that what was read is the reader's own. It is the cache's, and all who read have the same one"

// belief is what leads to requests that are not those that are asked for, if it is one belief alone.
func (s *scene) belief(want []wish, fails bool) string {
	got := s.requests
	for _, r := range got {
		if r.method == http.MethodPut {
			return "the belief that a status is written as a whole. An update writes all that was read, also what " +
				"this run knows nothing of"
		}
		if strings.HasPrefix(r.kind, "application/strategic") {
			return "the belief that each kind has a strategic merge patch. Custom resources have none"
		}
	}
	switch {
	case fails && len(got) > len(want) && got[len(want)].part == got[len(want)-1].part:
		return "the belief that a request that was refused is to be sent again. What it says was decided from what " +
			"is no longer so, or was refused for good"
	case len(want) == 2 && len(got) == 2 && got[0].part == root && text(got[0].body) == text(want[1].body):
		return "the belief that the order is all the same. What was observed cannot be observed again, and an object " +
			"whose last finalizer goes takes its status with it"
	case len(got) == 1 && got[0].part == root && got[0].body[status] != nil:
		return "the belief that one request takes all. What has a status subresource drops the status from all " +
			"others"
	case len(got) == 2 && len(want) == 2 && text(got[0].body) == text(want[0].body) && len(got[1].body) == 0:
		return "the belief that a request leaves the object with which it is sent as it is. The answer takes the " +
			"place of it, and the other change is not in that"
	case len(got) > len(want) && len(got) == 2 && (len(got[0].body) == 0 || len(got[1].body) == 0):
		return "the belief that a patch without a change is nothing. It is a request, and one with a lock can be refused"
	}
	return ""
}

// versions is a belief about the version of the second request.
func versions(got []request, i int, was string) string {
	read := at(parse(was), "metadata", "resourceVersion")
	switch {
	case i == 0 || got[0].version != read:
		return ""
	case got[1].version == nil:
		return "the belief that the lock of the first request holds for the second. Somebody may have written in " +
			"between"
	case got[1].version == read:
		return "the belief that the version that was read is good for both. The first request moves it"
	case got[1].version == strconv.Itoa(number(read)+1):
		return "the belief that a version can be counted on from. It says that something else is stored, and not how " +
			"much has happened"
	}
	return ""
}

// Objects.

const widgetHead = `"name":"shop","namespace":"web","uid":"u1","resourceVersion":"41","generation":7`

// widget is a custom resource with these fields.
func widget(with string) *unstructured.Unstructured {
	all := parse(`{"apiVersion":"shop.example.com/v1","kind":"Widget","metadata":{` + widgetHead + `}}`)
	merge(all, parse(with))
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON([]byte(text(all))); err != nil {
		panic(err)
	}
	return o
}

func head() metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: "shop", Namespace: "web", UID: "u1", ResourceVersion: "41", Generation: 7,
		CreationTimestamp: metav1.Unix(1600000000, 0), Labels: map[string]string{"app": "shop", "team": "a"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Shop", Name: "s", UID: "u0",
			Controller: new(true)}},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "shop", Operation: "Update"}}}
}

func deployment() *appsv1.Deployment {
	labels := map[string]string{"app": "shop"}
	return &appsv1.Deployment{ObjectMeta: head(),
		Spec: appsv1.DeploymentSpec{Replicas: new(int32(3)), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "till", Image: "till:1"}}}}},
		Status: appsv1.DeploymentStatus{ObservedGeneration: 6, Replicas: 3, ReadyReplicas: 1,
			Conditions: []appsv1.DeploymentCondition{{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue,
				LastUpdateTime: metav1.Unix(1600000000, 0), LastTransitionTime: metav1.Unix(1600000000, 0)}}}}
}

func budget() *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{ObjectMeta: head(),
		Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: new(intstr.FromInt32(1)),
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "shop"}}},
		Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: 1, CurrentHealthy: 2, DesiredHealthy: 1,
			ExpectedPods: 2, DisruptedPods: map[string]metav1.Time{"a": metav1.Unix(1600000000, 0)}}}
}

// randomPair is an object and what a run has made of it.
func randomPair(r *rand.Rand) (before, after client.Object) {
	kinds := r.Intn(4) // of changes: none, the status, the rest, both
	status, rest := kinds&1 != 0, kinds&2 != 0
	switch r.Intn(4) {
	case 0:
		before = deployment()
		after = before.DeepCopyObject().(client.Object)
		changeDeployment(r, after.(*appsv1.Deployment), status, rest)
	case 1:
		before = budget()
		after = before.DeepCopyObject().(client.Object)
		changeBudget(r, after.(*policyv1.PodDisruptionBudget), status, rest)
	default:
		before, after = randomWidgets(r, status, rest)
	}
	version := strconv.Itoa(40 + r.Intn(1000))
	before.SetResourceVersion(version)
	after.SetResourceVersion(version)
	if rest {
		changeMeta(r, after)
	}
	if r.Intn(3) == 0 {
		after.SetResourceVersion([]string{"", "3", "99999"}[r.Intn(3)])
		after.SetGeneration(r.Int63n(20))
	}
	if r.Intn(3) == 0 {
		after.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "me", Operation: "Apply"}}[:r.Intn(2)])
	}
	return before, after
}

func changeMeta(r *rand.Rand, o client.Object) {
	for range r.Intn(3) {
		switch r.Intn(5) {
		case 0:
			o.SetLabels(map[string]string{"app": word(r), word(r): word(r)})
		case 1:
			o.SetAnnotations(map[string]string{word(r): word(r)})
		case 2:
			o.SetFinalizers([]string{"a/" + word(r), "b/" + word(r)}[:1+r.Intn(2)])
		case 3:
			o.SetLabels(nil)
		case 4:
			o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "Shop", Name: word(r), UID: "u0"}})
		}
	}
}

func changeDeployment(r *rand.Rand, d *appsv1.Deployment, status, rest bool) {
	for range r.Intn(3) {
		if rest {
			[]func(){
				func() { d.Spec.Replicas = new(int32(r.Intn(4))) }, func() { d.Spec.Replicas = nil },
				func() { d.Spec.Paused = !d.Spec.Paused }, func() { d.Spec.MinReadySeconds++ },
				func() { d.Spec.Template.Spec.Containers[0].Image = "till:" + word(r) },
				func() { d.Spec.Template.Labels = map[string]string{word(r): word(r)} },
				func() {
					spec := &d.Spec.Template.Spec
					spec.Containers = append(spec.Containers, corev1.Container{Name: word(r)})
				},
			}[r.Intn(7)]()
		}
		if status {
			[]func(){
				func() { d.Status.ReadyReplicas = int32(r.Intn(3)) }, func() { d.Status.Conditions = nil },
				func() { d.Status = appsv1.DeploymentStatus{} }, func() { d.Status.CollisionCount = new(int32(2)) },
				func() { d.Status.ObservedGeneration++ },
				func() {
					d.Status.Conditions = append(d.Status.Conditions, appsv1.DeploymentCondition{Type: "Progressing",
						Status: corev1.ConditionFalse, LastUpdateTime: metav1.Unix(1600000000+r.Int63n(9), 0),
						LastTransitionTime: metav1.Unix(1600000000, 0)})
				},
			}[r.Intn(6)]()
		}
	}
}

func changeBudget(r *rand.Rand, b *policyv1.PodDisruptionBudget, status, rest bool) {
	if rest {
		[]func(){
			func() { b.Spec.MinAvailable = new(intstr.FromString("50%")) },
			func() { b.Spec.MinAvailable, b.Spec.MaxUnavailable = nil, new(intstr.FromInt32(1)) },
			func() { b.Spec.Selector = nil }, func() { b.Spec.Selector = &metav1.LabelSelector{} },
		}[r.Intn(4)]()
	}
	if status {
		[]func(){
			func() { b.Status.CurrentHealthy = int32(r.Intn(4)) }, func() { b.Status.DisruptedPods = nil },
			func() { b.Status.DisruptedPods["b"] = metav1.Time{Time: time.Unix(1600000000, 0)} },
			func() {
				b.Status.Conditions = []metav1.Condition{{Type: "Ok", Status: "True", Reason: word(r),
					LastTransitionTime: metav1.Unix(1600000000, 0)}}
			},
			func() { b.Status = policyv1.PodDisruptionBudgetStatus{} },
		}[r.Intn(5)]()
	}
}

func randomWidgets(r *rand.Rand, status, rest bool) (before, after client.Object) {
	was := fields{"spec": randomFields(r, 2), "data": randomFields(r, 1)}
	if r.Intn(3) > 0 {
		was["status"] = randomFields(r, 2)
	}
	if r.Intn(3) > 0 {
		was["metadata"] = fields{"labels": fields{"app": word(r), word(r): word(r)}}
	}
	was["spec"].(fields)["size"] = "s" // as the server has it
	was = copied(was)
	is := copied(was)
	for _, part := range []string{"spec", "data", "status"} {
		if (part == "status") != status && part == "status" || part != "status" && !rest || r.Intn(3) == 0 {
			continue
		}
		below, ok := is[part].(fields)
		if !ok || r.Intn(8) == 0 {
			below = fields{}
			is[part] = below
		}
		mutate(r, below, 2)
		if part != "spec" && r.Intn(8) == 0 {
			delete(is, part)
		}
	}
	return widget(text(was)), widget(text(is))
}

// mutate changes some of what is there, takes some away, and adds some.
func mutate(r *rand.Rand, of fields, depth int) {
	for _, name := range words {
		value, ok := of[name]
		below, object := value.(fields)
		switch n := r.Intn(6); {
		case !ok && n == 0, ok && n == 1:
			of[name] = randomValue(r, depth)
		case ok && n == 0:
			delete(of, name)
		case object && n < 4:
			mutate(r, below, depth-1)
		}
	}
}

var words = []string{"a", "b", "status", "spec", "metadata", "resourceVersion", "generation", "managedFields"}

func word(r *rand.Rand) string { return words[r.Intn(len(words))] }

func randomFields(r *rand.Rand, depth int) fields {
	all := fields{}
	for range r.Intn(5) {
		all[word(r)] = randomValue(r, depth)
	}
	return all
}

func randomValue(r *rand.Rand, depth int) any {
	n := r.Intn(8)
	if depth == 0 {
		n = r.Intn(5)
	}
	switch n {
	case 0:
		return word(r)
	case 1:
		return r.Intn(3)
	case 2:
		return r.Intn(2) == 0
	case 3:
		return 9007199254740993 + 2*r.Intn(2)
	case 4:
		return []any{word(r), r.Intn(2)}[:r.Intn(3)]
	case 5:
		return []any{randomFields(r, depth-1)}
	}
	return randomFields(r, depth-1)
}
