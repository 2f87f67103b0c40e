package status_test

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

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/exercises/1-status"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

type pdb = policyv1.PodDisruptionBudget

var (
	front     = Key{Namespace: "web", Name: "front"}
	budgets   = policyv1.Resource("poddisruptionbudgets")
	errBroken = errors.New("the server is on fire")
)

// A scene is what Reports see and do. The API server is a resourceVersion and a status.
type scene struct {
	told     string // what is so, for the verdict
	cache    *pdb   // nil: there is none
	observed Observed
	now      metav1.Time
	fails    map[string]error // by "read", "observe", "write"
	during   func(ctx context.Context, what string)

	mu     sync.Mutex
	server *pdb
	kept   []*pdb // what Observe has kept
	did    deeds
}

// deeds are what was done in one Report, or several.
type deeds struct {
	read, observed int
	seen           *pdb // what Observe was given
	writes         []write
}

type write struct {
	kind    types.PatchType
	data    string
	patch   map[string]any
	object  string
	options string
}

// holds has the cache and the server have this object.
func (s *scene) holds(o *pdb) {
	s.cache, s.server = o, o.DeepCopy()
}

func (s *scene) reporter() Reporter {
	return Reporter{Reader: s, Observer: s, Writer: s, Now: func() metav1.Time { return s.now }}
}

// fail is what fails, if it does. The one that is called may take part first.
func (s *scene) fail(ctx context.Context, what string) error {
	if s.during != nil {
		s.during(ctx, what)
	}
	return s.fails[what]
}

// Get implements Reader.
func (s *scene) Get(ctx context.Context, key Key) (*pdb, error) {
	s.mu.Lock()
	s.did.read++
	s.mu.Unlock()
	if err := s.fail(ctx, "read"); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cache == nil || key != front {
		return nil, apierrors.NewNotFound(budgets, key.Name)
	}
	return s.cache, nil
}

// Observe implements Observer. It keeps and changes what it is given.
func (s *scene) Observe(ctx context.Context, o *pdb) (Observed, error) {
	s.mu.Lock()
	s.did.observed++
	s.did.seen = o.DeepCopy()
	tidy(o)
	s.kept = append(s.kept, o)
	observed := s.observed
	s.mu.Unlock()
	if err := s.fail(ctx, "observe"); err != nil {
		return Observed{CurrentHealthy: 99, Reason: "Failed"}, err
	}
	return observed, nil
}

// tidy changes all that an object has.
func tidy(o *pdb) {
	o.Generation, o.ResourceVersion, o.ManagedFields = o.Generation+70, "7070", nil
	if o.Labels == nil {
		o.Labels = map[string]string{}
	}
	o.Labels["tidy"] = "yes"
	delete(o.Annotations, "note")
	if o.Spec.Selector != nil {
		o.Spec.Selector.MatchLabels["tidy"] = "yes"
	}
	for i := range o.Status.Conditions {
		c := &o.Status.Conditions[i]
		c.Status, c.Message, c.LastTransitionTime = "Tidy", "tidied up", metav1.Time{}
	}
	o.Status.DisruptionsAllowed += 70
	o.Status.ObservedGeneration += 70
	delete(o.Status.DisruptedPods, "pod-1")
}

// Patch implements Writer.
func (s *scene) Patch(ctx context.Context, obj client.Object, patch client.Patch,
	options ...client.SubResourcePatchOption) error {
	s.mu.Lock()
	for _, o := range s.kept {
		tidy(o)
	}
	w, err := written(obj, patch, options)
	s.did.writes = append(s.did.writes, w)
	s.mu.Unlock()
	if fails := s.fail(ctx, "write"); err != nil || fails != nil {
		return errors.Join(err, fails)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.apply(obj, w)
}

func written(obj client.Object, patch client.Patch, options []client.SubResourcePatchOption) (w write, err error) {
	data, err := patch.Data(obj)
	if err != nil {
		return w, err
	}
	given := new(client.SubResourcePatchOptions).ApplyOptions(options)
	told, _ := json.Marshal(given)
	w = write{kind: patch.Type(), data: string(data), options: string(told),
		object: fmt.Sprintf("%T %s/%s", obj, obj.GetNamespace(), obj.GetName())}
	return w, json.Unmarshal(data, &w.patch)
}

// apply is what the server does with a patch of the status. As in any merge patch, a list takes the place of a list.
func (s *scene) apply(obj client.Object, w write) error {
	if s.server == nil {
		return apierrors.NewNotFound(budgets, obj.GetName())
	}
	about, _ := w.patch["metadata"].(map[string]any)
	if version, ok := about["resourceVersion"]; ok && version != s.server.ResourceVersion {
		return apierrors.NewConflict(budgets, obj.GetName(), errors.New("the object has been modified"))
	}
	status, err := json.Marshal(w.patch["status"])
	if err != nil {
		return err
	}
	after := s.server.DeepCopy()
	var fields map[string]any
	if json.Unmarshal(status, &fields) == nil && fields["conditions"] != nil {
		after.Status.Conditions = nil
	}
	if err := json.Unmarshal(status, &after.Status); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	after.ResourceVersion += "1"
	s.server = after
	if answer, ok := obj.(*pdb); ok {
		decoded(answer)
		*answer = pdb{}
		after.DeepCopyInto(answer)
		answer.Labels = map[string]string{"answer": "yes"}
	}
	return nil
}

// decoded has a decoder go over an object: it writes into the maps, lists and pointers that are there.
func decoded(into *pdb) {
	for _, all := range []map[string]string{into.Labels, into.Annotations} {
		if all != nil {
			all["answer"] = "yes"
		}
	}
	if into.Spec.Selector != nil && into.Spec.Selector.MatchLabels != nil {
		into.Spec.Selector.MatchLabels["answer"] = "yes"
	}
	for i := range into.Finalizers {
		into.Finalizers[i] = "answer"
	}
	for i := range into.OwnerReferences {
		into.OwnerReferences[i].Name = "answer"
	}
	for i := range into.Status.Conditions {
		into.Status.Conditions[i].Message = "answer"
	}
}

// report is one call of Report.
func (s *scene) report(ctx context.Context) (took time.Duration, err error) {
	began := time.Now()
	err = s.reporter().Report(ctx, front)
	return time.Since(began), err
}

// differences are those between two values of JSON, at most four.
func differences(path string, want, got any) (out []string) {
	w, isMap := want.(map[string]any)
	g, both := got.(map[string]any)
	wl, isList := want.([]any)
	gl, bothLists := got.([]any)
	switch {
	case isMap && both:
		keys := maps.Clone(w)
		maps.Copy(keys, g)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			under := strings.TrimPrefix(path+"."+key, ".")
			_, has := w[key]
			_, hasNow := g[key]
			switch {
			case !has:
				out = append(out, under+" is in it, and should not be")
			case !hasNow:
				out = append(out, under+" is not in it")
			default:
				out = append(out, differences(under, w[key], g[key])...)
			}
		}
	case isList && bothLists && brief(wl) == brief(gl):
		for i := range wl {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), wl[i], gl[i])...)
		}
	case text(want) != text(got):
		out = append(out, fmt.Sprintf("%s is %s, and should be %s", path, brief(got), brief(want)))
	}
	return out[:min(len(out), 4)]
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// brief tells a list of conditions by their types.
func brief(v any) string {
	list, ok := v.([]any)
	if !ok {
		return text(v)
	}
	var names []string
	for _, c := range list {
		condition, _ := c.(map[string]any)
		names = append(names, fmt.Sprint(condition["type"]))
	}
	return "a list of [" + strings.Join(names, " ") + "]"
}

// moment is a time of the clock, with what JSON cuts off.
func moment(minutes int) metav1.Time {
	return metav1.NewTime(time.Date(2026, 5, 1, 12, minutes, 0, 123456789, time.UTC))
}

// since is a time as it stands in an object.
func since(minutes int) metav1.Time { return metav1.NewTime(moment(minutes).Truncate(time.Second)) }

func condition(kind string, status metav1.ConditionStatus, reason string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: "as " + reason,
		ObservedGeneration: 3, LastTransitionTime: since(1)}
}

// settled is a scene in which nothing is to be written.
func settled() *scene {
	o := &pdb{
		ObjectMeta: metav1.ObjectMeta{Namespace: "web", Name: "front", UID: "u1", ResourceVersion: "41", Generation: 3,
			Labels: map[string]string{"app": "front"}, Annotations: map[string]string{"note": "n"},
			Finalizers:    []string{"example.com/hold"},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl", Operation: "Apply"}}},
		Spec: policyv1.PodDisruptionBudgetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "front"}}},
		Status: policyv1.PodDisruptionBudgetStatus{ObservedGeneration: 3, CurrentHealthy: 5, DesiredHealthy: 4,
			ExpectedPods: 6, DisruptionsAllowed: 1,
			DisruptedPods: map[string]metav1.Time{"pod-1": since(2), "pod-2": since(3)},
			Conditions: []metav1.Condition{condition("DisruptionAllowed", "True", "SufficientPods"),
				condition(Healthy, "True", "AllWell"), condition("Audited", "False", "NotYet")}},
	}
	s := &scene{told: "a status that says what is observed", now: moment(30), observed: Observed{CurrentHealthy: 5,
		DesiredHealthy: 4, ExpectedPods: 6, DisruptionsAllowed: 1, Healthy: true, Reason: "AllWell",
		Message: "as AllWell"}}
	s.holds(o)
	return s
}

// model is the patch that the assignment asks for, and nil if there is none.
func model(read *pdb, o Observed, now metav1.Time) map[string]any {
	status := map[string]any{}
	for _, f := range []struct {
		name    string
		was, is int64
	}{
		{"observedGeneration", read.Status.ObservedGeneration, read.Generation},
		{"currentHealthy", int64(read.Status.CurrentHealthy), int64(o.CurrentHealthy)},
		{"desiredHealthy", int64(read.Status.DesiredHealthy), int64(o.DesiredHealthy)},
		{"expectedPods", int64(read.Status.ExpectedPods), int64(o.ExpectedPods)},
		{"disruptionsAllowed", int64(read.Status.DisruptionsAllowed), int64(o.DisruptionsAllowed)},
	} {
		if f.was != f.is {
			status[f.name] = f.is
		}
	}
	if list, changed := modelConditions(read, o, now); changed {
		status["conditions"] = list
	}
	if len(status) == 0 {
		return nil
	}
	patch := map[string]any{"metadata": map[string]any{"resourceVersion": read.ResourceVersion}, "status": status}
	var out map[string]any
	if err := json.Unmarshal([]byte(text(patch)), &out); err != nil {
		panic(err)
	}
	return out
}

func modelConditions(read *pdb, o Observed, now metav1.Time) (list []metav1.Condition, changed bool) {
	is := metav1.Condition{Type: Healthy, Status: "False", Reason: o.Reason, Message: o.Message,
		ObservedGeneration: read.Generation, LastTransitionTime: now}
	if o.Healthy {
		is.Status = "True"
	}
	list = slices.Clone(read.Status.Conditions)
	for i, was := range list {
		if was.Type != Healthy {
			continue
		}
		if was.Status == is.Status {
			is.LastTransitionTime = was.LastTransitionTime
		}
		list[i] = is
		return list, text(was) != text(is)
	}
	return append(list, is), true
}

// check calls Report once, and compares all that it does with the model. Nothing
// fails there.
func check(t *testing.T, s *scene) {
	t.Helper()
	if t.Failed() {
		return
	}
	cache, before := s.cache, s.cache.DeepCopy()
	want := model(before, s.observed, s.now)
	s.did = deeds{}
	same := true // also while others read it
	s.during = func(context.Context, string) { same = same && equality.Semantic.DeepEqual(cache, before) }
	took, err := s.report(t.Context())
	did := s.did
	expect := func(so bool, expected, happened, belief string) {
		t.Helper()
		if !so && !t.Failed() {
			exercise.Report(t, exercise.Verdict{Expected: s.told + ": " + expected, Happened: happened,
				PointsTo: belief})
		}
	}
	expect(same && equality.Semantic.DeepEqual(cache, before), "what the Reader has returned stays as it is",
		"it has changed", shared)
	expect(did.seen != nil, "it is observed", "Observe was not called", "")
	expect(equality.Semantic.DeepEqual(did.seen, before), "Observe is given a copy of what was read",
		"it was given something else", "")
	checkWrites(s, want, before, expect)
	expect(did.read == 1 && did.observed == 1, "the object is read once and observed once",
		fmt.Sprintf("it was read %d times and observed %d times", did.read, did.observed), "")
	expect(err == nil, "no error is returned", fmt.Sprintf("returned was: %v", err), "")
	expect(took == 0, "nothing waits but Reader, Observer and Writer", fmt.Sprintf("Report has waited for %v", took),
		"")
}

func checkWrites(s *scene, want map[string]any, before *pdb, expect func(bool, string, string, string)) {
	writes := s.did.writes
	if want == nil {
		expect(len(writes) == 0, "nothing is written", "written was: "+told(writes, before), needless(writes, before))
		return
	}
	expect(len(writes) == 1, "the status is written, with one call of Patch", "written was: "+told(writes, before), "")
	if len(writes) != 1 {
		return
	}
	w := writes[0]
	expect(w.kind == types.MergePatchType, "the patch is of the type "+string(types.MergePatchType),
		"it is of the type "+string(w.kind), "")
	expect(text(w.patch) == text(want), "the patch has in it what changes, and the resourceVersion, and nothing else",
		strings.Join(differences("", want, w.patch), "; "), misled(want, w.patch, before))
	const object = "*v1.PodDisruptionBudget web/front"
	expect(w.object == object, "the obj is a "+object, "it was a "+w.object, "")
	plain := text(new(client.SubResourcePatchOptions).ApplyOptions(
		[]client.SubResourcePatchOption{client.FieldOwner(Owner)}))
	expect(w.options == plain, "the field owner is "+Owner+", and there is no other option: "+plain,
		"the options were "+w.options, "")
}

// told says of writes what they change in the status that was read.
func told(writes []write, read *pdb) string {
	switch len(writes) {
	case 0:
		return "nothing"
	case 1:
		return "once: " + changes(writes[0], read)
	}
	return fmt.Sprintf("%d times, at first %s", len(writes), changes(writes[0], read))
}

func changes(w write, read *pdb) string {
	is, _ := w.patch["status"].(map[string]any)
	var was map[string]any
	if err := json.Unmarshal([]byte(text(read.Status)), &was); err != nil {
		panic(err)
	}
	maps.DeleteFunc(was, func(field string, _ any) bool {
		_, ok := is[field]
		return !ok
	})
	all := differences("status", was, is)
	if len(all) == 0 {
		return "a patch that changes nothing in the status"
	}
	return strings.NewReplacer(", and should be ", ", and was ", " is in it, and should not be", " is added").Replace(
		strings.Join(all, "; "))
}
