package apply_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/exercises/2-apply"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

type env = map[string]string

// An edit is what somebody else does to a Deployment.
type edit struct {
	what   string
	change func(map[string]any)
}

var usual = Wanted{Image: "proxy:2", Revision: "r2", Env: env{"LEVEL": "info", "BACKEND": "a"}, Replicas: new(int32(3))}

// with is the usual, changed.
func with(change func(w *Wanted)) Wanted {
	w := usual
	w.Env = env{"LEVEL": "info", "BACKEND": "a"}
	w.Replicas = new(int32(3))
	change(&w)
	return w
}

func TestWhatIsWanted(t *testing.T) {
	exercise.Attempted(t)
	for _, want := range []Wanted{
		usual,
		{Image: "proxy:1", Revision: "r1"},
		{Replicas: new(int32(7))},
		{Image: "proxy:1", Revision: "r1", Env: env{"Z": "1", "A": "2", "a": "3", "M": "4", "z.y": "5", "A-B": "6",
			"_": "7"}},
		{Image: "proxy:1", Revision: " r 1 ", Env: env{"LEVEL": " x ", "Level": "null"}, Replicas: new(int32(1000))},
		{Image: "shop:1", Revision: "blue", Env: env{"MODE": "fast"}, Replicas: new(int32(1))},
	} {
		play(t, func(s *scene) { s.call(want) })
	}
	play(t, func(s *scene) {
		s.told = append(s.told, "a Deployment of another name and namespace")
		want := with(func(*Wanted) {})
		key := Key{Namespace: "east", Name: "till"}
		err := Apply(s.t.Context(), s, key, want)
		s.judge(key, want, s.requests, err)
	}, Key{Namespace: "east", Name: "till"})
}

func TestEmptyIsSaid(t *testing.T) {
	exercise.Attempted(t)
	for _, change := range []func(w *Wanted){
		func(w *Wanted) { *w.Replicas = 0 },
		func(w *Wanted) { w.Revision = "" },
		func(w *Wanted) { w.Env["LEVEL"] = "" },
		func(w *Wanted) { *w = Wanted{Replicas: new(int32(0))} },
		func(w *Wanted) { *w = Wanted{Image: " ", Replicas: new(int32(-1))} },
		func(w *Wanted) { w.Env = env{"": "", "A": ""} },
	} {
		play(t, func(s *scene) { s.call(with(change)) })
	}
}

func TestWhatIsNotWantedIsNotSaid(t *testing.T) {
	exercise.Attempted(t)
	for _, change := range []func(w *Wanted){
		func(w *Wanted) { w.Replicas = nil },
		func(w *Wanted) { w.Env = nil },
		func(w *Wanted) { w.Env = env{} },
		func(w *Wanted) { w.Image = "" },
		func(w *Wanted) { w.Image, w.Replicas = "", nil },
		func(w *Wanted) { *w = Wanted{} },
		func(w *Wanted) { delete(w.Env, "LEVEL") },
	} {
		play(t, func(s *scene) { s.call(with(change)) })
		play(t, func(s *scene) { // after it was said
			s.call(usual)
			s.call(with(change))
			s.call(usual)
		})
	}
}

func TestReplicasOfAnother(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.edit("kube-controller-manager", replicas(7))
		s.tell("an autoscaler has 7 replicas")
		s.call(usual)
		s.call(usual)
		s.call(with(func(w *Wanted) { w.Replicas = nil }))
	})
	play(t, func(s *scene) {
		s.call(usual)
		s.edit("kube-controller-manager", replicas(7))
		s.tell("an autoscaler makes it 7 replicas")
		s.call(usual)
		s.call(with(func(w *Wanted) { *w.Replicas = 0 }))
		s.call(with(func(w *Wanted) { *w.Replicas = 7 })) // no conflict
		s.call(with(func(w *Wanted) { *w = Wanted{Replicas: new(int32(4))} }))
	})
	play(t, func(s *scene) {
		s.says("argocd", `, "spec": {"replicas": 5}`)
		s.says("flux", `, "spec": {"replicas": 5}`)
		s.tell("argocd and flux both have 5 replicas")
		s.call(usual)
	})
}

// theirs is what others apply.
const theirs = `, "metadata": {"annotations": {"` + Revision + `": "r8"}},
	"spec": {"template": {"spec": {"containers": [{"name": "proxy", "image": "proxy:8"}]}}}`

func TestTheControllersOwn(t *testing.T) {
	exercise.Attempted(t)
	for _, edit := range []edit{
		{"the image", image("proxy:evil")},
		{"the revision", revision("r9")},
		{"a variable", variable("LEVEL", "debug")},
		{"image and revision", both(image("proxy:evil"), revision("r9"))},
		{"all of the sidecar", both(image("proxy:evil"), revision("r9"), variable("LEVEL", "x"),
			variable("BACKEND", "b"))},
	} {
		play(t, func(s *scene) {
			s.call(usual)
			s.edit("kubectl-edit", edit.change)
			s.tell("somebody edits %s", edit.what)
			s.call(usual)
			s.call(usual)
		})
	}
	play(t, func(s *scene) {
		s.call(usual)
		s.edit("kubectl-edit", both(image("proxy:3"), variable("EXTRA", "1")))
		s.tell("somebody edits the image, to the one that is wanted next, and adds a variable")
		s.call(with(func(w *Wanted) { w.Image = "proxy:3" }))
		s.call(usual)
		s.call(with(func(w *Wanted) { w.Env["EXTRA"] = "" }))
	})
	for _, who := range []string{"argocd", "kube-controller-manager", "sidecar.scratch.example.com/old"} {
		play(t, func(s *scene) {
			s.call(usual)
			s.says(who, theirs)
			s.tell("%s applies another image and revision, by force", who)
			s.call(usual)
			s.call(with(func(w *Wanted) { w.Image = "" }))
		})
	}
	for _, name := range []string{".spec.replicas", "replicas", "x.spec.replicas"} {
		play(t, func(s *scene) {
			want := with(func(w *Wanted) { w.Env = env{name: "1"} })
			s.call(want)
			s.edit("kubectl-edit", variable(name, "2"))
			s.tell("somebody edits the variable %s", name)
			s.call(want)
		})
	}
}

func TestBothAtOnce(t *testing.T) {
	exercise.Attempted(t)
	for _, edit := range []edit{
		{"the image", image("proxy:evil")},
		{"a variable", variable("LEVEL", "debug")},
		{"all of them", both(revision("r9"), image("proxy:evil"), variable("BACKEND", "b"))},
		{"the revision", revision("r9")}, // its conflict comes before that of the replicas
	} {
		for _, together := range []bool{true, false} {
			play(t, func(s *scene) {
				s.call(usual)
				if together {
					s.edit("kubectl-edit", both(edit.change, replicas(7)))
				} else {
					s.edit("kubectl-edit", edit.change)
					s.edit("kube-controller-manager", replicas(7))
				}
				s.tell("others change the replicas and %s", edit.what)
				s.call(usual)
				s.call(usual)
			})
		}
	}
}

func TestTheSecondRequestIsRefused(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.call(usual)
		s.edit("kube-controller-manager", replicas(7))
		s.before = func(_ context.Context, n int) error {
			if n == 2 {
				s.edit("kubectl-edit", image("proxy:evil"))
			}
			return nil
		}
		s.tell("an autoscaler makes it 7 replicas, and before the second request somebody edits the image")
		s.call(usual)
	})
	for _, refusal := range refusals() {
		for _, edit := range []edit{{"the image", image("proxy:evil")}, {"the replicas", replicas(7)}} {
			play(t, func(s *scene) {
				s.call(usual)
				s.edit("kubectl-edit", edit.change)
				s.before = only(2, refusal)
				s.tell("somebody edits %s, and the second request is refused", edit.what)
				s.call(usual)
			})
		}
	}
}

// only has one request refused.
func only(number int, refusal error) func(context.Context, int) error {
	return func(_ context.Context, n int) error {
		if n == number {
			return refusal
		}
		return nil
	}
}

// refusals are answers that are no conflicts over fields.
func refusals() []error {
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	return []error{
		apierrors.NewForbidden(deployments, "shop", errors.New("nobody may")),
		apierrors.NewInternalError(errors.New("the store is away")),
		apierrors.NewTooManyRequests("slow down", 1),
		apierrors.NewServerTimeout(deployments, "patch", 1),
		apierrors.NewTimeoutError("the request took too long", 0),
		apierrors.NewNotFound(deployments, "shop"),
		apierrors.NewAlreadyExists(deployments, "shop"),
		apierrors.NewConflict(deployments, "shop", errors.New("the object has been modified; please apply your "+
			"changes to the latest version and try again")),
		&apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusConflict,
			Reason: metav1.StatusReasonConflict, Message: "Operation cannot be fulfilled"}},
		// what client-go makes of a 409 of a proxy that is no API server
		apierrors.NewGenericServerResponse(http.StatusConflict, "patch", deployments, "shop", "conflict", 0, true),
		errors.New("connection refused"), context.DeadlineExceeded,
	}
}

func TestOtherErrors(t *testing.T) {
	exercise.Attempted(t)
	for _, refusal := range refusals() {
		for _, wraps := range []bool{false, true} {
			play(t, func(s *scene) {
				s.before, s.wraps = only(1, refusal), wraps
				s.call(usual)
				s.before = nil
				s.call(usual)
			})
		}
	}
	play(t, func(s *scene) {
		delete(s.deployments, shop)
		s.tell("there is no such Deployment")
		s.call(usual)
		s.call(Wanted{})
	})
}

func TestErrorsThatAreWrapped(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.wraps = true
		s.tell("errors are wrapped")
		s.call(usual)
		s.edit("kubectl-edit", both(image("proxy:evil"), replicas(7)))
		s.tell("others change the replicas and the image")
		s.call(usual)
	})
}

func TestNothingIsRemembered(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.says("argocd", `, "spec": {"replicas": 5}`)
		s.tell("argocd has 5 replicas")
		s.call(usual)
		s.says("argocd", "")
		s.tell("argocd gives them up")
		s.call(usual)
	})
	play(t, func(s *scene) {
		s.call(usual)
		s.edit("kubectl-edit", image("proxy:evil"))
		s.tell("somebody edits the image")
		s.call(usual)
		s.edit("kube-controller-manager", replicas(7))
		s.tell("an autoscaler makes it 7 replicas")
		s.call(usual)
		s.call(with(func(w *Wanted) { w.Image, w.Env = "", nil }))
	})
}

func TestWantIsAsItWas(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.webhook = func(o map[string]any) {
			if _, ok, _ := unstructured.NestedInt64(o, "spec", "replicas"); ok {
				replicas(2)(o)
			}
			image("mirror/proxy:2")(o)
		}
		s.tell("a webhook allows 2 replicas at most, and has images of its own")
		s.call(with(func(*Wanted) {}))
		s.call(with(func(w *Wanted) { w.Env["X"] = "" }))
	})
}

func TestTheContext(t *testing.T) {
	exercise.Attempted(t)
	for _, number := range []int{1, 2} {
		play(t, func(s *scene) {
			s.edit("kube-controller-manager", replicas(7))
			ctx, cancel := context.WithCancel(s.t.Context())
			defer cancel()
			s.before = func(got context.Context, n int) error {
				if n != number {
					return nil
				}
				time.Sleep(24 * time.Hour)
				s.expect(got.Err() == nil, "the Applier takes a day, and the ctx that it got goes on",
					"it has ended", "")
				cancel()
				time.Sleep(time.Second)
				s.expect(got.Err() != nil, "the caller's ctx ends, and so does the one that the Applier got",
					"it goes on", "")
				return context.Canceled
			}
			s.tell("request %d takes a day", number)
			err := Apply(ctx, s, shop, usual)
			s.judge(shop, usual, s.requests, err)
		})
	}
}

// TestSeveralAtOneTime is not in a bubble: there, time stands still while somebody waits for a lock.
func TestSeveralAtOneTime(t *testing.T) {
	exercise.Attempted(t)
	keys := []Key{{Namespace: "a", Name: "a"}, {Namespace: "a", Name: "b"}, {Namespace: "b", Name: "a"}, shop}
	s := newScene(t, keys...)
	s.edit("kube-controller-manager", replicas(7))
	s.tell("there are four calls at one time")
	met, late := make(chan struct{}), make(chan struct{})
	var here atomic.Int32
	time.AfterFunc(3*time.Second, func() { close(late) }) // a busy machine takes its time
	s.before = func(_ context.Context, n int) error {
		if n == 1 && here.Add(1) == int32(len(keys)) {
			close(met)
		}
		select {
		case <-met:
		case <-late:
			s.expect(false, "the Applier has four requests before it answers the first",
				fmt.Sprintf("it has %d, and no more come", here.Load()), "")
			return context.DeadlineExceeded
		}
		return nil
	}
	errs := make([]error, len(keys))
	var group sync.WaitGroup
	for i, key := range keys {
		group.Go(func() { errs[i] = Apply(t.Context(), s, key, several(i)) })
	}
	group.Wait()
	for i, key := range keys {
		var made []request
		for _, r := range s.requests {
			if r.key == key {
				made = append(made, r)
			}
		}
		s.judge(key, several(i), made, errs[i])
	}
}

func several(i int) Wanted {
	return with(func(w *Wanted) {
		w.Env["N"] = fmt.Sprint(i)
		*w.Replicas = int32(i)
	})
}

// TestStories compares many calls with the assignment. What others do between them is left to chance,
// the same each time.
func TestStories(t *testing.T) {
	exercise.Attempted(t)
	for seed := range uint64(20) {
		chance := rand.New(rand.NewPCG(12, seed))
		play(t, func(s *scene) {
			for range 5 {
				for range chance.IntN(3) {
					s.somebody(chance)
				}
				s.before, s.wraps = nil, chance.IntN(4) == 0
				if all := refusals(); chance.IntN(5) == 0 {
					s.before = only(1+chance.IntN(2), all[chance.IntN(len(all))])
				}
				s.call(anything(chance))
			}
		})
	}
}

// somebody else does something.
func (s *scene) somebody(chance *rand.Rand) {
	values := []string{"", "1", "2", "3"}
	value := values[chance.IntN(len(values))]
	name := variables[chance.IntN(len(variables))]
	n := chance.Int64N(4)
	switch chance.IntN(7) {
	case 0, 1:
		s.edit("kube-controller-manager", replicas(n))
		s.tell("an autoscaler makes it %d replicas", n)
	case 2:
		s.says("argocd", fmt.Sprintf(`, "spec": {"replicas": %d}`, n))
		s.tell("argocd makes it %d replicas", n)
	case 3:
		s.says("argocd", "")
		s.tell("argocd gives up what it had")
	case 4:
		s.edit("kubectl-edit", image("proxy:"+value))
		s.tell("somebody edits the image")
	case 5:
		s.edit("kubectl-edit", revision("r"+value))
		s.tell("somebody edits the revision")
	case 6:
		s.edit("kubectl-edit", variable(name, value))
		s.tell("somebody edits the variable %s to %q", name, value)
	}
}

var variables = []string{"LEVEL", "BACKEND", "replicas"}

func anything(chance *rand.Rand) (want Wanted) {
	pick := func(texts string) string { all := strings.Split(texts, ","); return all[chance.IntN(len(all))] }
	want.Image, want.Revision = pick("proxy:1,proxy:2,proxy:3,"), pick("r1,r2,r,")
	if chance.IntN(4) > 0 {
		want.Replicas = new(chance.Int32N(4))
	}
	for range chance.IntN(4) {
		if want.Env == nil {
			want.Env = env{}
		}
		want.Env[variables[chance.IntN(3)]] = pick("1,2,,3")
	}
	return want
}

// A conflict over fields may have causes of other types beside it, which are about something else.
func TestCausesOfOtherTypes(t *testing.T) {
	exercise.Attempted(t)
	const image, about = `.spec.template.spec.containers[name="proxy"].image`, metav1.CauseTypeFieldValueInvalid
	for _, causes := range [][]metav1.StatusCause{
		{{Type: metav1.CauseTypeFieldManagerConflict, Field: image}, {Type: about, Field: theReplicas}},
		{{Type: about, Field: theReplicas}, {Type: metav1.CauseTypeFieldManagerConflict, Field: image}},
		{{Type: metav1.CauseTypeFieldManagerConflict, Field: theReplicas}, {Type: about, Field: image}},
		{{Type: about, Field: image}, {Type: metav1.CauseTypeFieldManagerConflict, Field: theReplicas}},
	} {
		play(t, func(s *scene) {
			s.before = only(1, apierrors.NewApplyConflict(causes, "Apply failed, and a value is not liked"))
			s.tell("one cause of two is of the type FieldManagerConflict")
			s.call(usual)
		})
	}
}
