package two_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/exercises/3-two-controllers"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed/managedtest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func init() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] // the second one sleeps for years of virtual time
	klog.SetLogger(logr.Discard())
	log.SetLogger(logr.Discard())
}

// The annotations of the two notes that most stories have.
const (
	entries = "notes.example.com/entries" // how many Data has
	size    = "notes.example.com/size"    // how many bytes these have
	scratch = "scratch"                   // what has this key is taken out of Data before it is counted
)

// controllers counts those that were ever made: a name is taken once for the whole process.
var controllers int

// named makes a name that nobody has yet.
func named(name string) string {
	controllers++
	return fmt.Sprintf("%s-%d", name, controllers)
}

// notes are two that tidy up first.
func notes() []Note {
	tidy := func(c *corev1.ConfigMap) { delete(c.Data, scratch) }
	return []Note{
		{Name: named("entries"), Annotation: entries, Value: func(c *corev1.ConfigMap) string {
			tidy(c)
			return strconv.Itoa(len(c.Data))
		}},
		{Name: named("size"), Annotation: size, Value: func(c *corev1.ConfigMap) string {
			tidy(c)
			n := 0
			for _, value := range c.Data {
				n += len(value)
			}
			return strconv.Itoa(n)
		}},
	}
}

// scene is a manager on chapter 03's server, in a bubble.
type scene struct {
	t      *testing.T
	wire   *wire
	direct http.RoundTripper // the user's
	added  error             // of Add

	mu       sync.Mutex
	seen     []seen
	failures []string // what the controllers have logged of failed runs
}

// seen is an object of the cache, and what it was when it came.
type seen struct{ object, was *corev1.ConfigMap }

// play runs a manager with the controllers of some notes. The story begins when it runs; it reports, and does not end
// the test. There is one ConfigMap with two entries, a.
func play(t *testing.T, notes []Note, story func(*scene)) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) {
		direct, stop := managedtest.Memory()
		defer stop()
		s := &scene{t: t, direct: direct, wire: &wire{next: direct, began: time.Now()}}
		s.create("a", map[string]string{"drink": "tea", "food": "soup"})
		m := s.manager()
		s.added = Add(m, notes...)
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		var managers sync.WaitGroup
		managers.Go(func() { _ = m.Start(ctx) })
		s.pass(time.Minute)
		story(s)
		cancel()
		managers.Wait()
		s.balance()
	})
	if t.Failed() {
		t.FailNow()
	}
}

// manager makes one, and has its cache make an informer.
func (s *scene) manager() manager.Manager {
	config := &rest.Config{Host: "http://memory", QPS: -1, Transport: s.wire,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}
	m, err := manager.New(config, manager.Options{
		Metrics: server.Options{BindAddress: "0"}, Logger: funcr.New(s.log, funcr.Options{}),
		Cache: cache.Options{DefaultUnsafeDisableDeepCopy: new(true), DefaultTransform: s.see},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := m.GetCache().GetInformer(context.Background(), &corev1.ConfigMap{},
		cache.BlockUntilSynced(false)); err != nil {
		s.t.Fatal(err)
	}
	return m
}

// log is told of each line that the manager and its controllers log.
func (s *scene) log(_, line string) {
	if strings.Contains(line, "Reconciler error") {
		_, cause, _ := strings.Cut(line, `"error"=`)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.failures = append(s.failures, cause)
	}
}

// failed are the failures so far.
func (s *scene) failed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return orNone(s.failures)
}

// see is called with each object before the cache has it.
func (s *scene) see(object any) (any, error) {
	if c, ok := object.(*corev1.ConfigMap); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen = append(s.seen, seen{c, c.DeepCopy()})
	}
	return object, nil
}

// pass lets time pass, until nothing moves any more.
func (s *scene) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// send sends a request of the user's.
func (s *scene) send(method, name, body string) *corev1.ConfigMap {
	return send(s.t, s.direct, method, name, body)
}

func send(t *testing.T, over http.RoundTripper, method, name, body string) *corev1.ConfigMap {
	url := "http://memory/api/v1/namespaces/default/configmaps"
	if name != "" {
		url += "/" + name
	}
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	response, err := over.RoundTrip(request)
	if err != nil {
		t.Error(err)
		return &corev1.ConfigMap{}
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	c := &corev1.ConfigMap{}
	if response.StatusCode < 300 {
		_ = json.Unmarshal(text, c)
	}
	return c
}

func (s *scene) create(name string, data map[string]string) {
	text, _ := json.Marshal(&corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data})
	s.send(http.MethodPost, "", string(text))
}

// change sends a merge patch of the user's, and lets what follows from it happen.
func (s *scene) change(name, patch string) {
	s.send(http.MethodPatch, name, patch)
	s.pass(time.Minute)
}

// annotations are those that a ConfigMap has on the server, as text: the keys' last words.
func (s *scene) annotations(name string) string {
	all := s.send(http.MethodGet, name, "").Annotations
	var texts []string
	for key, value := range all {
		texts = append(texts, fmt.Sprintf("%s=%s", path.Base(key), value))
	}
	slices.Sort(texts)
	return orNone(texts)
}

func orNone(texts []string) string {
	if len(texts) == 0 {
		return "none"
	}
	if len(texts) > 6 {
		texts = append(slices.Clone(texts[:6]), fmt.Sprintf("and %d more", len(texts)-6))
	}
	return strings.Join(texts, ", ")
}

// expect reports a verdict unless it is so.
func (s *scene) expect(so bool, expected, happened, belief string) {
	s.t.Helper()
	if !so && !s.t.Failed() {
		exercise.Report(s.t, exercise.Verdict{Expected: expected, Happened: happened, PointsTo: belief})
	}
}

// has expects the annotations of a ConfigMap.
func (s *scene) has(name, want, because, belief string) {
	s.t.Helper()
	got := s.annotations(name)
	s.expect(got == want, fmt.Sprintf("%s: the annotations of %s are %s", because, name, want), "they are "+got, belief)
}

// balance looks at what all stories have in common.
func (s *scene) balance() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.seen {
		d, belief := difference(one.was, one.object)
		s.expect(d == "", "nothing that the cache hands out is changed", fmt.Sprintf("of %s the cache had: %s",
			one.was.Name, d), belief)
	}
}

// difference is what differs in an object of the cache, and a belief that leads there.
func difference(was, is *corev1.ConfigMap) (text, belief string) {
	const mine = "the belief that what was read is the reader's own. Where the cache makes no copies, its maps are " +
		"shared by all who read"
	const deep = "the belief that an object is copied if its maps and slices are. What these point to is still the " +
		"cache's"
	changed := func(name string, was, is any, belief string) (string, string) {
		before, _ := json.Marshal(was)
		now, _ := json.Marshal(is)
		return fmt.Sprintf("the %s %s, and now it has %s", name, before, now), belief
	}
	switch same := equality.Semantic.DeepEqual; {
	case same(was, is):
		return "", ""
	case !same(was.Data, is.Data):
		return changed("Data", was.Data, is.Data, mine)
	case !same(was.Annotations, is.Annotations):
		return changed("annotations", was.Annotations, is.Annotations, mine)
	case !same(was.BinaryData, is.BinaryData):
		return changed("BinaryData", was.BinaryData, is.BinaryData, deep)
	case !same(was.Immutable, is.Immutable):
		return changed("Immutable", was.Immutable, is.Immutable, deep)
	case !same(was.OwnerReferences, is.OwnerReferences):
		return changed("owner references", was.OwnerReferences, is.OwnerReferences, deep)
	}
	return "something else", mine
}

// A call is a request of the manager's.
type call struct {
	verb, name, manager string
	at                  time.Duration
	body                string
	code                int
}

// String says "PATCH a by size-2: 200".
func (c call) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s by %s: %d", c.verb, c.name, c.manager, c.code))
}

// wire is the manager's transport. It writes down which requests pass.
type wire struct {
	next  http.RoundTripper
	began time.Time

	mu     sync.Mutex
	calls  []call
	before func(body string)                // called before a write is passed on
	refuse func(body string) (refused bool) // whether a write is answered with refusal
	with   int                              // the refusal's code. 0: 500
	after  func(body string)                // called when a write is done, before the manager hears of it
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	c := call{verb: r.Method, manager: r.URL.Query().Get("fieldManager"), at: time.Since(w.began)}
	if _, name, ok := strings.Cut(r.URL.Path, "/configmaps/"); ok {
		c.name = name
	}
	if strings.HasSuffix(r.URL.Path, "/configmaps") && r.Method == http.MethodGet {
		c.verb = "LIST"
		if r.URL.Query().Get("watch") != "" {
			c.verb = "WATCH"
		}
	}
	if r.Body != nil && r.Method != http.MethodGet {
		text, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		c.body, r.Body = string(text), io.NopCloser(bytes.NewReader(text))
	}
	response, err := w.pass(r, c)
	if err == nil {
		c.code = response.StatusCode
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, c)
	return response, err
}

func (w *wire) pass(r *http.Request, c call) (*http.Response, error) {
	if c.body == "" {
		return w.next.RoundTrip(r)
	}
	w.mu.Lock()
	before, refuse, status, after := w.before, w.refuse, refusal(w.with), w.after
	w.mu.Unlock()
	if before != nil {
		before(c.body)
	}
	if refuse != nil && refuse(c.body) {
		return answer(r, status), nil
	}
	response, err := w.next.RoundTrip(r)
	if after != nil {
		after(c.body)
	}
	return response, err
}

// refusal is what an API server says with a code.
func refusal(code int) metav1.Status {
	err := apierrors.NewInternalError(errors.New("not today"))
	switch code {
	case http.StatusConflict: // it has lost its own race too often
		err = apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, "a",
			errors.New("the object has been modified; please apply your changes to the latest version and try again"))
	case http.StatusUnprocessableEntity: // admission says so
		err = apierrors.NewInvalid(schema.GroupKind{Kind: "ConfigMap"}, "a", field.ErrorList{
			field.Invalid(field.NewPath("metadata", "annotations"), "", "not today")})
	}
	return err.Status()
}

func answer(r *http.Request, status metav1.Status) *http.Response {
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	text, _ := json.Marshal(status)
	return &http.Response{StatusCode: int(status.Code), Request: r, ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(text))}
}

// once has the next write in which there is a text refused with a code.
func (w *wire) once(text string, code int) {
	var refused atomic.Bool
	w.on(nil, func(body string) bool { return strings.Contains(body, text) && refused.CompareAndSwap(false, true) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.with = code
}

// always has every write in which there is a text refused with a code.
func (w *wire) always(text string, code int) {
	w.on(nil, func(body string) bool { return strings.Contains(body, text) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.with = code
}

// on sets what happens to writes from now on.
func (w *wire) on(before func(body string), refuse func(body string) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before, w.refuse, w.with = before, refuse, 0
}

// then sets what happens after each write from now on.
func (w *wire) then(after func(body string)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.after = after
}

// those are the calls so far that have one of the verbs.
func (w *wire) those(verbs ...string) (those []call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.calls {
		if slices.Contains(verbs, c.verb) && !strings.Contains(c.name, "/") {
			those = append(those, c)
		}
	}
	return those
}

// of are the writes in which there is an annotation.
func (w *wire) of(annotation string) []call {
	return slices.DeleteFunc(w.writes(), func(c call) bool { return !strings.Contains(c.body, annotation) })
}

// writes are the calls that are no reads.
func (w *wire) writes() []call { return w.those("POST", "PUT", "PATCH", "DELETE") }

func said(calls []call) string {
	var texts []string
	for _, c := range calls {
		texts = append(texts, c.String())
	}
	return orNone(texts)
}
