package apply_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"k8s.io/client-go/applyconfigurations"
	appsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/exercises/2-apply"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// converter knows which lists of a Deployment are maps. It is the API server's knowledge.
var converter = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(scheme.Scheme)
})

// scene is an API server with Deployments in it. What applies is the API server's own code: fields have managers, and a
// conflict is worded as there.
type scene struct {
	t           *testing.T
	mu          sync.Mutex
	deployments map[Key]managedfieldstest.TestFieldManager
	requests    []request
	lost        bool          // whether somebody has had the replicas
	since       int           // the requests of this call begin here
	told        []string      // what has happened so far
	spent       time.Duration // what the Applier took

	// What goes wrong. before is called before a request of one call is answered, the first one's number is 1.
	before  func(ctx context.Context, n int) error
	wraps   bool                 // errors
	webhook func(map[string]any) // changes what is stored
}

// A request is one that the Applier got.
type request struct {
	key      Key
	says     any // decoded JSON
	options  client.ApplyOptions
	force    bool
	typed    bool     // whether it is a DeploymentApplyConfiguration
	err      error    // the answer, as Apply got it
	conflict []string // the fields, if that was a conflict over fields
}

var shop = Key{Namespace: "web", Name: "shop"}

// play has a scene with the Deployments in it, in a bubble.
func play(t *testing.T, story func(s *scene), keys ...Key) {
	t.Helper()
	converter()
	if !t.Failed() {
		exercise.Bubble(t, func(t *testing.T) { story(newScene(t, keys...)) })
	}
}

func newScene(t *testing.T, keys ...Key) *scene {
	s := &scene{t: t, deployments: map[Key]managedfieldstest.TestFieldManager{}}
	for _, key := range append(keys, shop) {
		s.add(key)
	}
	return s
}

const made = `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"labels": {"app": "shop"},
	"annotations": {"team": "blue"}}, "spec": {"selector": {"matchLabels": {"app": "shop"}}, "template": {
	"metadata": {"labels": {"app": "shop"}}, "spec": {"containers": [
		{"name": "web", "image": "shop:1", "env": [{"name": "MODE", "value": "fast"}]}]}}}}`

// add has kubectl create a Deployment.
func (s *scene) add(key Key) {
	s.deployments[key] = managedfieldstest.NewTestFieldManager(converter(),
		apps.SchemeGroupVersion.WithKind("Deployment"))
	o := &unstructured.Unstructured{}
	s.must(json.Unmarshal([]byte(made), o))
	o.SetName(key.Name)
	o.SetNamespace(key.Namespace)
	s.must(s.deployments[key].Update(o, "kubectl-create"))
}

// must is about the scene itself.
func (s *scene) must(err error) {
	if err != nil {
		s.t.Fatal(err)
	}
}

// Apply implements Applier.
func (s *scene) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...client.ApplyOption) error {
	s.mu.Lock()
	r := request{}
	r.options.ApplyOptions(opts)
	r.force = r.options.Force != nil && *r.options.Force
	_, r.typed = obj.(*appsv1.DeploymentApplyConfiguration)
	text, err := json.Marshal(obj)
	u := &unstructured.Unstructured{}
	if err == nil {
		err = utiljson.Unmarshal(text, &u.Object) // numbers as the API server has them
	}
	s.must(err)
	r.says, r.key = u.DeepCopy().Object, Key{Namespace: u.GetNamespace(), Name: u.GetName()}
	n := 1
	for _, other := range s.requests[s.since:] {
		if other.key == r.key {
			n++
		}
	}
	before := s.before
	s.mu.Unlock()
	began := time.Now()
	if before != nil {
		err = before(ctx, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spent += time.Since(began)
	if err == nil {
		err = s.store(u, &r)
	}
	r.conflict = fieldsOf(err)
	if err != nil && s.wraps {
		err = fmt.Errorf("the proxy in between: %w", err)
	}
	r.err = err
	s.requests = append(s.requests, r)
	if err != nil {
		return err
	}
	answer, err := json.Marshal(s.deployments[r.key].Live())
	s.must(err)
	return json.Unmarshal(answer, obj) // as client.Client does: over what is there
}

// store is what the API server does.
func (s *scene) store(u *unstructured.Unstructured, r *request) error {
	live, ok := s.deployments[r.key]
	if !ok {
		return apierrors.NewInvalid(schema.GroupKind{Group: "apps", Kind: "Deployment"}, r.key.Name, nil)
	}
	if r.options.FieldManager == "" {
		return apierrors.NewBadRequest("PatchOptions.meta.k8s.io is invalid: fieldManager: Required value")
	}
	if s.webhook != nil {
		s.webhook(u.Object)
	}
	return live.Apply(u, r.options.FieldManager, r.force)
}

// fieldsOf are the fields that an error of the scene is about.
func fieldsOf(err error) (fields []string) {
	status := &apierrors.StatusError{}
	if !errors.As(err, &status) || status.ErrStatus.Details == nil {
		return nil
	}
	for _, cause := range status.ErrStatus.Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			fields = append(fields, cause.Field)
		}
	}
	return fields
}

// edit has somebody else update a Deployment.
func (s *scene) edit(who string, change func(o map[string]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.deployments[shop].Live().(*unstructured.Unstructured)
	change(o.Object)
	s.must(s.deployments[shop].Update(o, who))
}

// says has somebody else apply to a Deployment.
func (s *scene) says(who, spec string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &unstructured.Unstructured{}
	s.must(json.Unmarshal([]byte(`{"apiVersion": "apps/v1", "kind": "Deployment"`+spec+`}`), o))
	o.SetName(shop.Name)
	o.SetNamespace(shop.Namespace)
	s.must(s.deployments[shop].Apply(o, who, true))
}

// Changes by others.

func replicas(n int64) func(map[string]any) {
	return func(o map[string]any) { _ = unstructured.SetNestedField(o, n, "spec", "replicas") }
}

func revision(text string) func(map[string]any) {
	return func(o map[string]any) { _ = unstructured.SetNestedField(o, text, "metadata", "annotations", Revision) }
}

func image(text string) func(map[string]any) {
	return sidecar(func(c map[string]any) { c["image"] = text })
}

// variable changes the value of a variable, or adds one.
func variable(name, value string) func(map[string]any) {
	return sidecar(func(c map[string]any) {
		env, _ := c["env"].([]any)
		for _, v := range env {
			if v := v.(map[string]any); v["name"] == name {
				v["value"] = value
				return
			}
		}
		c["env"] = append(env, map[string]any{"name": name, "value": value})
	})
}

func sidecar(change func(map[string]any)) func(map[string]any) {
	return func(o map[string]any) {
		all, _, _ := unstructured.NestedSlice(o, "spec", "template", "spec", "containers")
		for _, c := range all {
			if c := c.(map[string]any); c["name"] == Container {
				change(c)
			}
		}
		_ = unstructured.SetNestedSlice(o, all, "spec", "template", "spec", "containers")
	}
}

func both(changes ...func(map[string]any)) func(map[string]any) {
	return func(o map[string]any) {
		for _, change := range changes {
			change(o)
		}
	}
}

// configuration is what a request has to say. It is written as JSON, not with the types of client-go.
func configuration(key Key, want Wanted) map[string]any {
	metadata := map[string]any{"name": key.Name, "namespace": key.Namespace}
	o := map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata}
	spec := map[string]any{}
	if want.Replicas != nil {
		spec["replicas"] = int64(*want.Replicas)
	}
	if want.Image != "" {
		metadata["annotations"] = map[string]any{"sidecar.scratch.example.com/revision": want.Revision}
		container := map[string]any{"name": "proxy", "image": want.Image}
		var env []any
		for _, name := range slices.Sorted(maps.Keys(want.Env)) {
			env = append(env, map[string]any{"name": name, "value": want.Env[name]})
		}
		if env != nil {
			container["env"] = env
		}
		spec["template"] = map[string]any{"spec": map[string]any{"containers": []any{container}}}
	}
	if len(spec) > 0 {
		o["spec"] = spec
	}
	return o
}

// flat is what a configuration says, by path.
func flat(path string, value any, into map[string]string) map[string]string {
	text, _ := json.Marshal(value)
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			flat(path+"."+key, v, into)
		}
		if len(value) > 0 {
			return into
		}
	case []any:
		for i, v := range value {
			flat(fmt.Sprintf("%s[%d]", path, i), v, into)
		}
		if len(value) > 0 {
			return into
		}
	}
	into[path] = string(text)
	return into
}

// differences tells where a configuration is not as it should be: what should be there, and what is.
func differences(got, want any) (expected, happened string) {
	has, should := flat("", got, map[string]string{}), flat("", want, map[string]string{})
	paths := maps.Clone(has)
	maps.Copy(paths, should)
	var both [2][]string
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if has[path] == should[path] {
			continue
		}
		for i, values := range []map[string]string{should, has} {
			text := path + " is " + values[path]
			if values[path] == "" {
				text = path + " is not there"
			}
			both[i] = append(both[i], text)
		}
	}
	for i, texts := range both {
		if len(texts) > 3 {
			both[i] = append(texts[:3], fmt.Sprintf("and %d more", len(texts)-3))
		}
	}
	return strings.Join(both[0], "; "), strings.Join(both[1], "; ")
}

func same(a, b any) bool {
	return maps.Equal(flat("", a, map[string]string{}), flat("", b, map[string]string{}))
}

func (s *scene) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

// call calls Apply once, and compares what it does with the assignment.
func (s *scene) call(want Wanted) {
	s.t.Helper()
	if s.t.Failed() {
		return
	}
	s.since, s.spent = len(s.requests), 0
	was := Wanted{Image: want.Image, Revision: want.Revision, Env: maps.Clone(want.Env)}
	if want.Replicas != nil {
		was.Replicas = new(*want.Replicas)
	}
	s.tell(wanted+"%s", short(want))
	began := time.Now()
	err := Apply(s.t.Context(), s, shop, want)
	s.expect(time.Since(began) == s.spent, "Apply waits for nothing but the Applier",
		fmt.Sprintf("it took %v besides", time.Since(began)-s.spent), "")
	s.judge(shop, was, s.requests[s.since:], err)
	s.expect(short(want) == short(was), "what want points to is as it was", "it is "+short(want), aliased)
}

// short is what is wanted, as text.
func short(want Wanted) string {
	texts := []string{"no replicas", "no image", fmt.Sprintf("revision %q", want.Revision), "no variables"}
	if want.Replicas != nil {
		texts[0] = fmt.Sprintf("%d replicas", *want.Replicas)
	}
	if want.Image != "" {
		texts[1] = want.Image
	}
	if len(want.Env) > 0 {
		texts[3] = strings.TrimPrefix(fmt.Sprintf("%q", want.Env), "map")
	}
	return strings.Join(texts, ", ")
}

// story is what has happened last, in few words.
func (s *scene) story() string {
	var lines []string
	before := ""
	for _, line := range s.told[max(0, len(s.told)-4):] {
		switch {
		case line == before:
			line = "the same again"
		case strings.HasPrefix(line, wanted):
			before = line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

const wanted = "wanted: "

// judge compares the requests of one call with the assignment.
func (s *scene) judge(key Key, want Wanted, made []request, err error) {
	s.t.Helper()
	s.expect(len(made) > 0, "there is a request", "there was none, and returned was: "+answer(err), "")
	if s.t.Failed() {
		return
	}
	s.owner(made)
	s.expect(made[0].typed && made[len(made)-1].typed, "a request is a DeploymentApplyConfiguration", "one was not", "")
	s.first(key, want, made[0])
	fields := made[0].conflict
	over := strings.Join(fields, " and ")
	switch {
	case len(fields) > 0:
		s.expect(len(made) == 2, "the first request meets a conflict over "+over+": there are two requests",
			fmt.Sprintf("there were %d, and returned was: %v", len(made), answer(err)), "")
		if len(made) >= 2 {
			s.second(key, want, made[0], made[1])
		}
	default:
		s.expect(len(made) == 1, "the first request meets no conflict over fields: there is no second request",
			fmt.Sprintf("there were %d; the answer to the first was: %v", len(made), answer(made[0].err)), "")
	}
	last := made[len(made)-1].err
	s.expect(last != nil || err == nil, "the last request is accepted: no error is returned",
		fmt.Sprintf("returned was: %v", err), "")
	s.expect(last == nil || errors.Is(err, last), "errors.Is finds the last request's error in what is returned",
		fmt.Sprintf("returned was: %v", answer(err)), "")
}

// owner looks at the options that all requests have.
func (s *scene) owner(made []request) {
	s.t.Helper()
	for i, r := range made {
		belief := ""
		if owner := r.options.FieldManager; i > 0 && owner != "" && made[0].options.FieldManager == Manager {
			belief = "the belief that a field owner is the name of a request. It is who has the fields, and what one " +
				"owner said before, another can't take away"
		}
		s.expect(r.options.FieldManager == Manager, fmt.Sprintf("the field owner of request %d is %q", i+1, Manager),
			fmt.Sprintf("it was %q", r.options.FieldManager), belief)
		s.expect(len(r.options.DryRun) == 0 && !r.options.DisableReadYourWritesConsistency,
			"a request has no option but its field owner and ForceOwnership", fmt.Sprintf("request %d had %+v", i+1,
				r.options), "")
	}
}

// first looks at the first request of a call.
func (s *scene) first(key Key, want Wanted, r request) {
	s.t.Helper()
	s.expect(!r.force, "the first request does not force", "it did",
		"the belief that a controller always forces. Then it takes the replicas, too, which others are to keep")
	if should, is := differences(r.says, configuration(key, want)); should != "" {
		s.expect(false, "the first request says what is wanted, and nothing else: "+should, "in the request "+is,
			s.said(key, want, r))
	}
	s.lost = s.lost || slices.Contains(r.conflict, theReplicas)
}

const theReplicas = ".spec.replicas"

// said is the belief that a first request singles out.
func (s *scene) said(key Key, want Wanted, r request) string {
	without := want
	without.Replicas = nil
	switch {
	case want.Replicas != nil && same(r.says, configuration(key, without)):
		if s.lost && *want.Replicas != 0 {
			return "the belief that who has a field has it for ever. By the next call somebody may have given it up"
		}
		if !s.lost && *want.Replicas == 0 {
			return "the belief that zero replicas are not wanted. Zero is a number like any"
		}
	case unordered(names(r.says), slices.Collect(maps.Keys(want.Env))):
		return "the belief that a map is gone through in some order that stays. Each time it is another"
	}
	return ""
}

// second looks at the request after a conflict.
func (s *scene) second(key Key, want Wanted, before, r request) {
	s.t.Helper()
	still := want
	if slices.Contains(before.conflict, theReplicas) {
		still.Replicas = nil
	}
	force := own(before.conflict)
	why := "the first request meets a conflict over " + strings.Join(before.conflict, " and ")
	belief := again(before, r)
	if should, is := differences(r.says, configuration(key, still)); should != "" {
		s.expect(false, why+". In the second "+should, "in the request "+is, belief)
	}
	s.expect(r.force == force, why+": the second "+forces(force), "it "+forces(r.force), belief)
}

// own reports whether a field of the controller is in conflict.
func own(fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return f != theReplicas })
}

func forces(force bool) string {
	if force {
		return "has ForceOwnership"
	}
	return "has not ForceOwnership"
}

// again is the belief that a second request singles out.
func again(before, r request) string {
	has := flat("", r.says, map[string]string{})
	switch {
	case same(r.says, before.says) && !r.force:
		return "the belief that a conflict passes by itself. This one is over who has a field, and the same request " +
			"meets it again"
	case same(r.says, before.says) && slices.Contains(before.conflict, theReplicas) && own(before.conflict):
		return "the belief that force is for the fields one means. It takes every field of the request that somebody " +
			"else has"
	case len(before.conflict) == 1 && strings.HasSuffix(before.conflict[0], ".image") && len(has) == 6 &&
		has[".spec.template.spec.containers[0].image"] != "":
		return "the belief that a request adds to the one before. The API server takes away what this one does not say"
	}
	return ""
}

const aliased = "the belief that a configuration is read only. The client decodes the answer into it, " +
	"through its pointers"

// names are those of the variables in a configuration.
func names(says any) (all []string) {
	o, _ := says.(map[string]any)
	containers, _, _ := unstructured.NestedSlice(o, "spec", "template", "spec", "containers")
	for _, c := range containers {
		c, _ := c.(map[string]any)
		env, _ := c["env"].([]any)
		for _, v := range env {
			v, _ := v.(map[string]any)
			all = append(all, fmt.Sprint(v["name"]))
		}
	}
	return all
}

// unordered reports whether names are those that they should be, in another order, not one without regard to case.
func unordered(names, should []string) bool {
	inOrder := slices.Sorted(slices.Values(names))
	return !slices.IsSortedFunc(names, func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	}) && slices.Equal(inOrder, slices.Sorted(slices.Values(should)))
}

func answer(err error) string {
	if err == nil {
		return "nothing"
	}
	return err.Error()
}

// expect reports a verdict unless it is so. The first one of a scene is the one that counts.
func (s *scene) expect(so bool, expected, happened, belief string) {
	s.t.Helper()
	if so || s.t.Failed() {
		return
	}
	exercise.Report(s.t, exercise.Verdict{Expected: s.story() + ": " + expected, Happened: happened, PointsTo: belief})
}
