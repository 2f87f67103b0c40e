package both_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// story runs in virtual time.
func story(t *testing.T, tell func(t *testing.T)) {
	t.Helper()
	exercise.Bubble(t, tell)
	if t.Failed() {
		t.FailNow()
	}
}

// A try is a change of a widget.
type try struct{ name, before, after string }

func (c try) play(t *testing.T, plan func(*scene)) *scene {
	t.Helper()
	return play(t, "a widget, "+c.name, widget(c.before), widget(c.after), plan)
}

// A bothChange changes the status and the rest of a widget.
var bothChange = try{"both have changed",
	`{"spec":{"size":"small","color":"red"},"status":{"ready":1,"sold":2}}`,
	`{"spec":{"size":"large","color":"red"},"status":{"ready":3,"sold":2}}`}

func TestBothAreSaved(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		_ = bothChange.play(t, nil).tries(0)
		for _, before := range []client.Object{deployment(), budget()} {
			after := before.DeepCopyObject().(client.Object)
			after.SetLabels(map[string]string{"app": "shop", "tier": "front"})
			observe(after)
			_ = play(t, "labels and status have changed", before, after, nil).tries(0)
		}
	})
}

// observe changes a status.
func observe(o client.Object) {
	switch o := o.(type) {
	case *appsv1.Deployment:
		o.Status.ReadyReplicas = 2
	case *policyv1.PodDisruptionBudget:
		o.Status.CurrentHealthy = 5
	}
}

func TestOneIsSaved(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, c := range []try{
			{"the status has changed", `{"spec":{"size":"small"},"status":{"ready":1}}`,
				`{"spec":{"size":"small"},"status":{"ready":2}}`},
			{"the spec has changed", `{"spec":{"size":"small"},"status":{"ready":1}}`,
				`{"spec":{"size":"large"},"status":{"ready":1}}`},
			{"a label has come", `{"spec":{"size":"small"},"status":{"ready":1}}`,
				`{"metadata":{"labels":{"status":"new"}},"spec":{"size":"small"},"status":{"ready":1}}`},
			{"a finalizer has come", `{"spec":{"size":"small"},"status":{"ready":1}}`,
				`{"metadata":{"finalizers":["a/b"]},"spec":{"size":"small"},"status":{"ready":1}}`},
			{"a field beside the spec has changed", `{"spec":{"size":"small"},"data":{"a":"b"}}`,
				`{"spec":{"size":"small"},"data":{"a":"c"}}`},
			{"nothing has changed", `{"spec":{"size":"small"},"status":{"ready":1}}`,
				`{"spec":{"size":"small"},"status":{"ready":1}}`},
			{"there is no status, and no change", `{"spec":{"size":"small"}}`, `{"spec":{"size":"small"}}`},
			{"the first status comes", `{"spec":{"size":"small"}}`, `{"spec":{"size":"small"},"status":{"ready":1}}`},
			{"the status goes", `{"spec":{"size":"small"},"status":{"ready":1}}`, `{"spec":{"size":"small"}}`},
		} {
			_ = c.play(t, nil).tries(0)
		}
		for _, o := range []client.Object{deployment(), budget()} {
			_ = play(t, "nothing has changed", o, o.DeepCopyObject().(client.Object), nil).tries(0)
			_ = play(t, "before and after are one pointer", o, o, nil).tries(0)
			after := o.DeepCopyObject().(client.Object)
			observe(after)
			_ = play(t, "the status has changed", o, after, nil).tries(0)
			after = o.DeepCopyObject().(client.Object)
			after.SetFinalizers([]string{"a/b"})
			_ = play(t, "a finalizer has come", o, after, nil).tries(0)
		}
	})
}

func TestWhatAPatchHolds(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, c := range []try{
			{"fields are gone",
				`{"metadata":{"labels":{"a":"b","c":"d"},"annotations":{"n":"m"}},` +
					`"spec":{"size":"s","deep":{"x":{"y":1}}},"status":{"ready":1,"by":{"a":1,"b":2}}}`,
				`{"metadata":{"labels":{"a":"b"}},"spec":{"size":"s","deep":{"x":{}}},"status":{"by":{"b":2}}}`},
			{"an item of a list has changed",
				`{"metadata":{"finalizers":["a/b","c/d"]},` +
					`"spec":{"size":"s","parts":[{"n":"a","v":1},{"n":"b","v":2}]},"status":{"conditions":[{"type":"Ready","status":"True"},{"type":"Sold","status":"True"}]}}`,
				`{"metadata":{"finalizers":["c/d"]},"spec":{"size":"s","parts":[{"n":"a","v":1},{"n":"b","v":3}]},` +
					`"status":{"conditions":[{"type":"Ready","status":"True"},{"type":"Sold","status":"False"}]}}`},
			{"a list has another order", `{"spec":{"size":"s","parts":["a","b"]},"status":{"pods":["x","y"]}}`,
				`{"spec":{"size":"s","parts":["b","a"]},"status":{"pods":["y","x"]}}`},
			{"what is empty comes", `{"spec":{"size":"s"},"status":{"ready":1}}`,
				`{"spec":{"size":"s","o":{},"l":[],"z":0,"f":false,"t":""},"status":{"ready":0,"o":{},"l":[]}}`},
			{"what is empty goes",
				`{"spec":{"size":"s","o":{},"l":[],"z":0,"f":false,"t":""},"status":{"o":{},"l":[]}}`,
				`{"spec":{"size":"s"},"status":{}}`},
			{"a value has another type", `{"spec":{"size":"s","v":{"a":1},"w":"1"},"status":{"v":[1],"w":{"a":1}}}`,
				`{"spec":{"size":"s","v":"a","w":1},"status":{"v":{"a":1},"w":[]}}`},
			{"fields named status are elsewhere", `{"spec":{"size":"s","status":{"a":1}},"data":{"status":"x"}}`,
				`{"spec":{"size":"s","status":{"a":2}},"data":{"status":"y"}}`},
			{"fields of status are named as others",
				`{"spec":{"size":"s"},"status":{"spec":1,"status":{"a":1},"metadata":{"resourceVersion":"3"}}}`,
				`{"spec":{"size":"s"},"status":{"spec":2,"status":{"a":2},"metadata":{"resourceVersion":"4"}}}`},
			{"fields named as the server's are elsewhere",
				`{"spec":{"size":"s","resourceVersion":"1","metadata":{"generation":1}},"status":{"generation":1}}`,
				`{"spec":{"size":"s","resourceVersion":"2","metadata":{"generation":2,"managedFields":[]}},` +
					`"status":{"generation":2,"resourceVersion":"5"}}`},
			{"numbers are long", `{"spec":{"size":"s","n":9007199254740993},"status":{"n":9007199254740992}}`,
				`{"spec":{"size":"s","n":9007199254740995},"status":{"n":9007199254740993}}`},
			{"the server drops a field", `{"spec":{"size":"s"},"status":{"ready":1}}`,
				`{"spec":{"size":"s","unknown":1},"status":{"ready":2}}`},
			{"the server has a default", `{"spec":{"size":"s"},"status":{"ready":1}}`,
				`{"spec":{},"status":{"ready":2}}`},
			{"its text has signs", `{"spec":{"size":"s"},"status":{"a/b~c":"<&>"}}`,
				`{"spec":{"size":"\"\\"},"status":{"a/b~c":"<&> \u2028"}}`},
		} {
			_ = c.play(t, nil).tries(0)
		}
	})
}

func TestJSONIsWhatCounts(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		before := widget(`{"spec":{"size":"s","n":3,"l":["a"]},"status":{"ready":1,"l":[1]}}`)
		after := before.DeepCopy()
		after.Object["status"] = map[string]any{"ready": float64(1), "l": []any{float64(1)}}
		after.Object["spec"].(map[string]any)["n"] = float64(3)
		_ = play(t, "a widget, whose numbers are a float64 in after and an int64 in before", before, after,
			nil).tries(0)
		deployed := deployment()
		same := deployed.DeepCopy()
		same.Annotations, same.OwnerReferences = map[string]string{}, []metav1.OwnerReference{}
		same.Status.Conditions = []appsv1.DeploymentCondition{}
		deployed.Annotations, deployed.OwnerReferences, deployed.Status.Conditions = nil, nil, nil
		_ = play(t, "a Deployment, of which after has empty maps and slices, and before has nil", deployed, same,
			nil).tries(0)
	})
}

func TestWhatTheServerKeeps(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, c := range []try{bothChange, {"nothing has changed", bothChange.before, bothChange.before},
			{"the status has changed", bothChange.before,
				`{"spec":{"size":"small","color":"red"},"status":{"ready":3,"sold":2}}`},
			{"the spec has changed", bothChange.before,
				`{"spec":{"size":"large","color":"red"},"status":{"ready":1,"sold":2}}`}} {
			for _, other := range othersVersions() {
				before, after := widget(c.before), widget(c.after)
				before.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "shop", Operation: "Update"}})
				after.SetManagedFields(before.GetManagedFields())
				other.change(after)
				_ = play(t, "a widget, "+c.name+", and after has "+other.name, before, after, nil).tries(0)
			}
		}
	})
}

type changed struct {
	name   string
	change func(client.Object)
}

func othersVersions() []changed {
	return []changed{
		{"another resourceVersion", func(o client.Object) { o.SetResourceVersion("99") }},
		{"no resourceVersion", func(o client.Object) { o.SetResourceVersion("") }},
		{"another generation", func(o client.Object) { o.SetGeneration(99) }},
		{"no generation", func(o client.Object) { o.SetGeneration(0) }},
		{"other managedFields", func(o client.Object) {
			o.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "me", Operation: "Update"}})
		}},
		{"no managedFields", func(o client.Object) { o.SetManagedFields(nil) }},
	}
}

// refusals are what may be the answer to a request.
func refusals() map[string]error {
	long := apierrors.NewGenericServerResponse(http.StatusServiceUnavailable, "patch", widgets, "shop", "down", 0, true)
	return map[string]error{
		"conflict": apierrors.NewConflict(widgets, "shop", errors.New("changed")),
		"no such":  apierrors.NewNotFound(widgets, "shop"), "forbidden": apierrors.NewForbidden(widgets, "shop", nil),
		"invalid": apierrors.NewInvalid(kinds["widgets"].GroupKind(), "shop", nil), "down": long,
		"too many": apierrors.NewTooManyRequestsError("later"), "broken": errBroken,
		"internal": apierrors.NewInternalError(errBroken), "timeout": apierrors.NewTimeoutError("late", 0),
	}
}

var errBroken = errors.New("the connection is broken")

func TestTheFirstFailureIsTheLastRequest(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, name := range slices.Sorted(maps.Keys(refusals())) {
			refusal := refusals()[name]
			for _, c := range []try{bothChange,
				{"the status has changed", `{"spec":{"size":"s"}}`, `{"spec":{"size":"s"},"status":{"ready":1}}`},
				{"the spec has changed", `{"spec":{"size":"s"}}`, `{"spec":{"size":"l"}}`}} {
				for fails := 1; fails <= len(wishes(jsonOf(widget(c.before)), jsonOf(widget(c.after)))); fails++ {
					for _, stored := range []bool{false, true} {
						refused(t, c, name, refusal, fails, stored)
					}
				}
			}
		}
	})
}

// refused has one request fail, after it was stored or before.
func refused(t *testing.T, c try, name string, refusal error, fails int, stored bool) {
	t.Helper()
	fail := func(n int) error {
		if n == fails {
			return refusal
		}
		return nil
	}
	c.name += fmt.Sprintf(", and the answer to request %d is: %s", fails, name)
	s := c.play(t, func(s *scene) {
		if s.arrives = fail; stored {
			s.arrives, s.leaves = nil, fail
		}
	})
	err := s.tries(fails)
	if want := (apierrors.APIStatus)(nil); errors.As(refusal, &want) {
		got := (apierrors.APIStatus)(nil)
		s.expect(errors.As(err, &got) && got.Status().Reason == want.Status().Reason,
			fmt.Sprintf("errors.As finds the error, %v", refusal), fmt.Sprintf("returned was %v", err), "")
	} else {
		s.expect(errors.Is(err, refusal), fmt.Sprintf("errors.Is finds the error, %v", refusal),
			fmt.Sprintf("returned was %v", err), "")
	}
}

func TestSomebodyElseWrites(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, theirs := range []string{`{"spec":{"color":"blue"}}`, `{"status":{"sold":3}}`,
			`{"metadata":{"labels":{"a":"b"}}}`} {
			for when := 1; when <= 2; when++ {
				c := bothChange
				c.name += fmt.Sprintf(", and before request %d somebody writes %s", when, theirs)
				s := c.play(t, func(s *scene) {
					s.arrives = func(n int) error {
						if n == when {
							s.another(theirs)
						}
						return nil
					}
				})
				err := s.tries(when)
				s.expect(apierrors.IsConflict(err), "the error is a conflict", fmt.Sprintf("it was %v", err), "")
			}
		}
	})
}

func TestWhatIsNotSent(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, other := range []struct {
			name   string
			change func(before, after client.Object)
		}{
			{"before has no resourceVersion", func(before, _ client.Object) { before.SetResourceVersion("") }},
			{"neither has a resourceVersion", func(before, after client.Object) {
				before.SetResourceVersion("")
				after.SetResourceVersion("")
			}},
			{"after has another name", func(_, after client.Object) { after.SetName("shop2") }},
			{"after has another namespace", func(_, after client.Object) { after.SetNamespace("west") }},
			{"after has another UID", func(_, after client.Object) { after.SetUID("u2") }},
			{"after has no UID", func(_, after client.Object) { after.SetUID("") }},
			{"before has no UID", func(before, _ client.Object) { before.SetUID("") }},
		} {
			for _, c := range []try{bothChange, {"nothing has changed", bothChange.before, bothChange.before}} {
				notSent(t, "a widget, "+c.name+", "+other.name, widget(c.before), widget(c.after), other.change)
			}
			before := deployment()
			after := before.DeepCopy()
			after.Status.ReadyReplicas = 2
			notSent(t, "the status of a Deployment has changed, "+other.name, before, after, other.change)
		}
	})
}

func notSent(t *testing.T, name string, before, after client.Object, change func(before, after client.Object)) {
	t.Helper()
	change(before, after)
	was := jsonOf(after)
	s := play(t, name, before, after, nil)
	err := s.save()
	s.expect(err != nil && len(s.requests) == 0, "an error is returned, and nothing is sent",
		fmt.Sprintf("returned was %v, and %s", err, s.sent()), "")
	s.expect(jsonOf(after) == was && jsonOf(before) == s.was, "after and before are as they were",
		fmt.Sprintf("they are %s and %s", cut(jsonOf(after)), cut(jsonOf(before))), "")
}

func TestTheLastFinalizer(t *testing.T) {
	exercise.Attempted(t)
	const head = `{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"`
	story(t, func(t *testing.T) {
		c := try{"its last finalizer goes",
			head + `,"finalizers":["a/b"]},"spec":{"size":"s"},"status":{"phase":"Up"}}`,
			head + `},"spec":{"size":"s"},"status":{"phase":"Down"}}`}
		_ = c.play(t, nil).tries(0)
		c.after = head + `},"spec":{"size":"s"},"status":{"phase":"Up"}}`
		_ = c.play(t, nil).tries(0)
	})
}

func TestBeforeIsShared(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for fails := range 3 {
			fail := func(s *scene) {
				s.shared = true
				s.arrives = func(n int) error {
					if n == fails {
						return errBroken
					}
					return nil
				}
			}
			before := deployment()
			after := new(*before) // all that is below is shared
			after.Labels = map[string]string{"app": "shop", "tier": "front"}
			after.Status.ReadyReplicas = 2
			_ = play(t, "a Deployment, of which after has the same maps, slices and pointers", before, after,
				fail).tries(fails)
			wide := widget(bothChange.before)
			shallow := &unstructured.Unstructured{Object: map[string]any{}}
			for name, value := range wide.Object {
				shallow.Object[name] = value
			}
			shallow.Object["status"] = map[string]any{"ready": int64(4)}
			shallow.Object["data"] = "new"
			_ = play(t, "a widget, of which after has the same maps", wide, shallow, fail).tries(fails)
		}
	})
}

func TestTheContext(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for when := 1; when <= 2; when++ {
			c := bothChange
			c.name += fmt.Sprintf(", and ctx ends while request %d is on its way", when)
			ctx, cancel := context.WithCancel(context.Background())
			s := c.play(t, func(s *scene) {
				s.arrives = func(n int) error {
					if n == when {
						cancel()
					}
					return nil
				}
			})
			err := s.triesWith(ctx, when)
			s.expect(errors.Is(err, context.Canceled), "errors.Is finds the error, "+context.Canceled.Error(),
				fmt.Sprintf("returned was %v", err), "")
		}
	})
}

func TestSeveralAtATime(t *testing.T) {
	exercise.Attempted(t)
	const n = 4
	for _, before := range []client.Object{deployment(), widget(bothChange.before)} {
		var all, arrived sync.WaitGroup
		arrived.Add(n)
		met := make(chan struct{})
		go func() {
			defer close(met)
			arrived.Wait()
		}()
		for range n {
			after := before.DeepCopyObject().(client.Object)
			after.SetLabels(map[string]string{"app": "new"})
			s := play(t, "four are saved at one time, from one before", before, after, func(s *scene) {
				s.real = true
				s.arrives = func(n int) error {
					if n == 1 {
						arrived.Done()
						s.meets(met)
					}
					return nil
				}
			})
			all.Go(func() { _ = s.tries(0) })
		}
		all.Wait()
		if t.Failed() {
			t.FailNow()
		}
	}
}

func TestAnyChange(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for seed := range int64(200) {
			r := rand.New(rand.NewSource(seed))
			before, after := randomPair(r)
			fails := max(0, r.Intn(5)-2)
			name := fmt.Sprintf("try %d, from %s to %s", seed, cut(jsonOf(before)), cut(jsonOf(after)))
			s := play(t, name, before, after,
				func(s *scene) {
					s.arrives = func(n int) error {
						if n == fails {
							return errBroken
						}
						return nil
					}
				})
			_ = s.tries(fails)
			if t.Failed() {
				return
			}
		}
	})
}

func TestTheAnswerCounts(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, rest := range []bool{false, true} {
			before := deployment()
			after := before.DeepCopy()
			after.Status.TerminatingReplicas = new(int32(1))
			if rest {
				after.Labels = map[string]string{"app": "new"}
			}
			_ = play(t, "a Deployment with a field in its status that the server drops", before, after, nil).tries(0)
		}
	})
}

func TestOtherObjects(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		before := &corev1.Node{ObjectMeta: head(), Status: corev1.NodeStatus{Phase: corev1.NodeRunning,
			Addresses: []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: "one"}}}}
		before.Namespace = ""
		after := before.DeepCopy()
		after.Spec.Unschedulable = true
		after.Status.Addresses[0].Address = "two"
		_ = play(t, "a Node, which is in no namespace", before, after, nil).tries(0)
		bare, changed := widget(bothChange.before), widget(bothChange.after)
		bare.SetUID("")
		changed.SetUID("")
		_ = play(t, "a widget, and neither before nor after has a UID", bare, changed, nil).tries(0)
	})
}

// A cache may leave out what nobody reads, and a server may add something. What is sent is what a run has changed.
func TestWhatBeforeDoesNotHave(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, more := range []string{`{"metadata":{"annotations":{"a":"b"}}}`, `{"spec":{"extra":"x"}}`,
			`{"metadata":{"labels":{"tier":"front"},"finalizers":["a/b"]}}`, `{"status":{"extra":"x"}}`} {
			c := bothChange
			c.name += ", and the server has, which before has not: " + more
			_ = c.play(t, func(s *scene) { merge(s.object, parse(more)) }).tries(0)
		}
	})
}

// What is gone is gone for the next run. A request that says so has failed.
func TestGoneIsAFailure(t *testing.T) {
	exercise.Attempted(t)
	const head = `{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"`
	story(t, func(t *testing.T) {
		for _, phase := range []string{"Up", "Down"} {
			c := try{"its last finalizer goes", head + `,"finalizers":["a/b"]},"status":{"phase":"Up"}}`,
				head + `},"status":{"phase":"` + phase + `"}}`}
			for fails := 1; fails <= len(wishes(jsonOf(widget(c.before)), jsonOf(widget(c.after)))); fails++ {
				for _, stored := range []bool{false, true} {
					refused(t, c, "no such", apierrors.NewNotFound(widgets, "shop"), fails, stored)
				}
			}
		}
	})
}

// An object that is there and empty is not the same as none.
func TestAnEmptyObjectIsOne(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		for _, c := range []try{
			{"it gets a status with nothing in it", `{"spec":{"size":"s"}}`, `{"spec":{"size":"s"},"status":{}}`},
			{"its status, which has nothing in it, goes", `{"spec":{"size":"s"},"status":{}}`, `{"spec":{"size":"s"}}`},
			{"its status has nothing in it any more", `{"spec":{"size":"s"},"status":{"ready":1}}`,
				`{"spec":{"size":"s"},"status":{}}`},
			{"its spec gets an object with nothing in it", `{"spec":{"size":"s"},"status":{"ready":1}}`,
				`{"spec":{"size":"s","door":{}},"status":{"ready":1}}`},
		} {
			_ = c.play(t, nil).tries(0)
		}
	})
}

// What JSON does not show is there all the same: whoever has after reads it.
func TestAfterIsAsItWas(t *testing.T) {
	exercise.Attempted(t)
	story(t, func(t *testing.T) {
		before := deployment()
		after := before.DeepCopy()
		after.Annotations, after.Finalizers = map[string]string{}, []string{}
		after.Status.Conditions[0].LastUpdateTime.Time = after.Status.Conditions[0].LastUpdateTime.Add(7)
		asItWas(t, "a Deployment, whose JSON is the same, but not its times and empty lists", before, after, nil)
		whole := widget(`{"spec":{"n":3},"status":{"ready":1}}`)
		float := whole.DeepCopy()
		float.Object["status"] = map[string]any{"ready": float64(1)}
		asItWas(t, "a widget, whose JSON is the same, but not its types of numbers", whole, float, nil)
		changed := after.DeepCopy()
		changed.Status.ReadyReplicas++
		changed.Annotations, changed.Finalizers = map[string]string{}, []string{}
		asItWas(t, "a Deployment, whose status has changed, and whose request fails", before, changed, errBroken)
	})
}

// asItWas saves when there is nothing to send, or what is sent fails.
func asItWas(t *testing.T, name string, before, after client.Object, fails error) {
	t.Helper()
	was := after.DeepCopyObject()
	s := play(t, name, before, after, func(s *scene) { s.arrives = func(int) error { return fails } })
	err := s.save()
	returns := map[bool]string{false: "Save returns no error", true: "Save returns an error"}
	s.expect((err != nil) == (fails != nil), returns[fails != nil],
		fmt.Sprintf("it has returned %v", err), "")
	s.expect(reflect.DeepEqual(after, was), "after is as it was before the call, also in what its JSON does not show",
		fmt.Sprintf("it was %s and became %s", cut(fmt.Sprintf("%#v", was)), cut(fmt.Sprintf("%#v", after))),
		"the belief that two objects with one JSON are the same. An empty list is no nil, and a time has nanoseconds")
}
