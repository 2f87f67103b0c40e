package index_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/2-index"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// all is a deployment with a name of its own in each of some places.
func all(of []place) deployment {
	d := using()
	for i, p := range of {
		d.uses = append(d.uses, use{p.name, fmt.Sprintf("%c", 'a'+i)})
	}
	return d
}

func TestEachPlace(t *testing.T) {
	exercise.Attempted(t)
	stands(t, using())
	stands(t, all(places[:7])) // without those that are optional
	stands(t, all(places))
	reversed := all(places)
	slices.Reverse(reversed.uses)
	stands(t, reversed.at("west", "till"))
	for _, p := range places {
		stands(t, using(p.name, "a"))
		stands(t, using(p.name, "a", p.name, "b", p.name, "c", p.name, "d", p.name, "e"))
		for _, second := range places {
			stands(t, using(p.name, "a", second.name, "b", p.name, "c"))
		}
	}
}

func TestNoOtherPlace(t *testing.T) {
	exercise.Attempted(t)
	stands(t, using("an env", "a", "a configMap volume", "b", "a configMap in a projected volume", "c",
		"a configMapKeyRef of an env", "d", "a configMapRef of an envFrom", "e", "a csi volume", "f"))
	for i, decoy := range decoys {
		stands(t, using(decoy.name, "a"))
		stands(t, using(decoy.name, "")) // a variable with neither a value nor a source, too
		p, last := places[i%len(places)].name, places[(i+7)%len(places)].name
		stands(t, using(decoy.name, "a", p, "b", decoy.name, "c"))
		stands(t, using(p, "b", decoy.name, "b", last, "c"))
		for _, beside := range places[:6] {
			stands(t, using(beside.name, "b", decoy.name, "a", beside.name, "c"))
		}
	}
	stands(t, all(decoys))
}

func TestNames(t *testing.T) {
	exercise.Attempted(t)
	for _, p := range places {
		stands(t, using(p.name, ""))
		stands(t, using(p.name, "", p.name, "a", p.name, ""))
		for _, name := range []string{"A", " a", "a ", " ", "a,b", "a/b", "/", "a.b", "*", "ä", "east", "shop",
			"east/a", "-", "a\n", "__all_namespaces", "default-token-x7k2p", "sh.helm.release.v1.shop.v1",
			"a-name-that-has-more-than-sixty-three-characters-in-it-as-that-of-a-secret-may"} {
			stands(t, using(p.name, name))
		}
		stands(t, using(p.name, "a", p.name, "A", p.name, "a "))
	}
}

func TestEachValueOnce(t *testing.T) {
	exercise.Attempted(t)
	for _, p := range places {
		stands(t, using(p.name, "a", p.name, "a"))
		stands(t, using(p.name, "a", p.name, "b", p.name, "a", p.name, "b", p.name, "a"))
		for _, second := range places {
			stands(t, using(p.name, "a", second.name, "a"))
			stands(t, using(p.name, "b", second.name, "a", p.name, "c", second.name, "b"))
		}
	}
}

func TestWhatDoesNotMatter(t *testing.T) {
	exercise.Attempted(t)
	for _, state := range slices.Sorted(maps.Keys(states)) {
		stands(t, using("an env", "a", "imagePullSecrets", "b").is(state))
		stands(t, using("a volume's secret", "a").at("west", "till").is(state))
		stands(t, using().is(state))
		stands(t, all(places).is(state))
	}
}

func TestWhatIsNoDeployment(t *testing.T) {
	exercise.Attempted(t)
	for _, as := range slices.Sorted(maps.Keys(others)) {
		stands(t, using().like(as))
		stands(t, all(places).like(as))
		stands(t, all(places).like(as).is("being deleted"))
	}
}

// The objects have the same key, UID and resourceVersion.
func TestNothingIsKept(t *testing.T) {
	exercise.Attempted(t)
	remembers := func([]string) string {
		return "the belief that what was there before has to be known. The cache calls Secrets with what was and " +
			"with what is, and compares"
	}
	for _, p := range places {
		stands(t, using(p.name, "a"))
		for _, next := range []deployment{using(p.name, "b"), using(p.name, "a", p.name, "b"), using(p.name, "b"),
			using(p.name, "b"), using(), using(p.name, "a")} {
			standsBelieving(t, next, remembers)
		}
	}
}

func TestTheSliceIsTheCallers(t *testing.T) {
	exercise.Attempted(t)
	about := "the belief that a slice that is returned is read at once. The caller may keep it, and change it"
	for _, p := range places {
		d, second := using(p.name, "a", p.name, "b", p.name, "c"), using(p.name, "x", "imagePullSecrets", "y")
		o := d.typed()
		first := Secrets(o)
		kept := sorted(first)
		_ = Secrets(second.typed())
		exercise.Expect(t, slices.Equal(sorted(first), kept), exercise.Verdict{
			Expected: fmt.Sprintf("%v: the values stay as they are when Secrets is called for another one", d),
			Happened: fmt.Sprintf("they were %s, and are %s", list(kept), list(sorted(first))), PointsTo: about})
		first = first[:cap(first)]
		for i := range first {
			first[i] = "scribbled"
		}
		_ = append(first, "scribbled")
		again := sorted(Secrets(o))
		exercise.Expect(t, slices.Equal(again, d.values()), exercise.Verdict{
			Expected: fmt.Sprintf("%v: the values are %s, also after somebody has changed the slice that was returned "+
				"before", d, list(d.values())),
			Happened: "they were " + list(again)})
	}
}

// some makes a deployment with up to n uses.
func some(r *rand.Rand, n int) deployment {
	d := using().at(fmt.Sprintf("ns-%d", r.IntN(3)), fmt.Sprintf("d-%d", r.IntN(8)))
	names := []string{"a", "b", "c", "", "ns-1", "d-1", "A"}
	for range r.IntN(n + 1) {
		from := places
		if r.IntN(3) == 0 {
			from = decoys
		}
		d.uses = append(d.uses, use{from[r.IntN(len(from))].name, names[r.IntN(len(names))]})
	}
	d.state = slices.Sorted(maps.Keys(states))[r.IntN(len(states))]
	return d
}

func TestAnyDeployment(t *testing.T) {
	exercise.Attempted(t)
	r := rand.New(rand.NewPCG(13, 2))
	for range 500 {
		d := some(r, 12)
		if r.IntN(20) == 0 {
			d.as = slices.Sorted(maps.Keys(others))[r.IntN(len(others))]
		}
		stands(t, d)
	}
}

func TestRegister(t *testing.T) {
	exercise.Attempted(t)
	for _, failure := range []error{nil, errors.New("an index of this field is there already"),
		context.Canceled, fmt.Errorf("indexer conflict: %w", context.DeadlineExceeded)} {
		x, said := &indexer{err: failure}, "nil"
		if failure != nil {
			said = strconv.Quote(failure.Error())
		}
		err := Register(marked(context.Background()), x)
		about := ""
		if len(x.calls) == 1 && x.calls[0] == fmt.Sprintf("IndexField of a *v1.Secret and %q", Field) {
			about = "the belief that an index is of what is asked about. It is of what is found: the Deployments"
		}
		want := []string{fmt.Sprintf("IndexField of a *v1.Deployment and %q", Field)}
		exercise.Expect(t, slices.Equal(x.calls, want), exercise.Verdict{
			Expected: fmt.Sprintf("Register calls %s, and nothing else; that returns %s", want[0], said),
			Happened: fmt.Sprintf("called was %q", x.calls), PointsTo: about})
		exercise.Expect(t, isMarked(x.ctx), exercise.Verdict{
			Expected: "Register calls IndexField with its ctx", Happened: "it was another"})
		exercise.Expect(t, errors.Is(err, failure), exercise.Verdict{
			Expected: fmt.Sprintf("IndexField returns %s: errors.Is says that Register has returned that", said),
			Happened: fmt.Sprintf("it has returned %v", err)})
		o, _ := x.object.(*appsv1.Deployment)
		exercise.Expect(t, o != nil, exercise.Verdict{Expected: "Register calls IndexField with a Deployment",
			Happened: "that was nil"})
		for _, d := range []deployment{all(places), using("an env", "a"), using(), using("an env", "b").like("a Pod")} {
			got := sorted(x.values(d.object()))
			exercise.Expect(t, slices.Equal(got, d.values()), exercise.Verdict{
				Expected: fmt.Sprintf("Register calls IndexField with Secrets: with it %v stands under %s", d,
					list(d.values())),
				Happened: "it stands under " + list(got), PointsTo: d.belief(got)})
		}
	}
}

// town has two users of east/key, and one of each of some others.
func town() []deployment {
	return []deployment{
		using("an env", "key").at("east", "shop"),
		using("a volume's secret", "key", "an env", "tls").at("east", "till"),
		using("an env", "tls").at("east", "stock"),
		using().at("east", "bank"),
		using("a configMap volume", "key").at("east", "cafe"),
		using("an env", "key").at("west", "shop"),
		using("imagePullSecrets", "key").at("west", "till"),
		using("an env", "shop").at("west", "mill"),
		using("an env", "key").at("key", "key"),
		using("an env", "gone").at("east", "inn").is("being deleted"),
		using("an env", "gone").at("east", "pub").is("no replicas"),
		using("an env", "gone").at("east", "bar").is("paused"),
	}
}

// Each form has a name of its own, so that who remembers another one is found elsewhere.
func TestWhatASecretIs(t *testing.T) {
	exercise.Attempted(t)
	all := newShelf()
	users := Users(all)
	for i, f := range forms {
		about := map[string]string{
			"a *corev1.Secret": "the belief that an object in a cache says of which kind it is. Its Go type says " +
				"that, and the rest is mostly empty",
			"a *metav1.PartialObjectMetadata of the kind Secret": "the belief that a Secret is a *corev1.Secret. A " +
				"watch of metadata alone has objects of one Go type for all kinds"}[f.name]
		key := fmt.Sprintf("key-%d", i)
		all.hold(using("an env", key), using("an envFrom", key).at("east", "till"),
			using("an env", key).at("west", "shop"))
		leadsBelieving(t, users, all, named("east", key).like(f.name), about)
		leadsBelieving(t, users, all, named("west", key).like(f.name), about)
		leadsBelieving(t, users, all, named("east", key+"-other").like(f.name), about)
	}
}

func TestUsers(t *testing.T) {
	exercise.Attempted(t)
	all := newShelf(town()...)
	users := Users(all)
	for _, s := range []secret{named("east", "key"), named("west", "key"), named("east", "tls"), named("west", "tls"),
		named("key", "key"), named("east", "shop"), named("west", "shop"), named("east", "gone"), named("north", "key"),
		named("east", "east")} {
		leads(t, users, all, s)
	}
}

func TestTheSameSecretAgain(t *testing.T) {
	exercise.Attempted(t)
	all := newShelf(town()...)
	users := Users(all)
	again := "the belief that the answer stays what it was. The Secret has not changed, but a Deployment may have"
	leads(t, users, all, named("east", "key"))
	leads(t, users, all, named("west", "key"))
	for range 3 {
		leadsBelieving(t, users, all, named("east", "key"), again)
		leadsBelieving(t, users, all, named("west", "key"), again)
	}
	for _, uses := range []string{"tls", "key", "gone"} {
		all.hold(using("an env", uses).at("east", "shop"), using("an env", "tls", "an env", uses).at("east", "x"))
		for _, s := range []secret{named("east", "key"), named("east", "tls"), named("east", "gone")} {
			leadsBelieving(t, users, all, s, again)
		}
	}
}

func TestWhatOfASecretDoesNotMatter(t *testing.T) {
	exercise.Attempted(t)
	all := newShelf(town()...)
	users := Users(all)
	for _, state := range slices.Sorted(maps.Keys(secretStates)) {
		for _, f := range forms[:3] {
			leads(t, users, all, named("east", "key").like(f.name).is(state))
		}
	}
}

func TestUsersItselfAsksNothing(t *testing.T) {
	exercise.Attempted(t)
	all := newShelf(town()...)
	users := Users(all)
	exercise.Expect(t, len(all.asked) == 0, exercise.Verdict{
		Expected: "Users is called: it calls no method of the cache",
		Happened: "it called one " + times(len(all.asked)),
		PointsTo: "the belief that a cache may be asked when a controller is set up. It has not started, and answers " +
			"with an error, or not at all"})
	exercise.Expect(t, users != nil, exercise.Verdict{Expected: "Users is called: it returns a function",
		Happened: "that was nil"})
}

func TestAnError(t *testing.T) {
	exercise.Attempted(t)
	all := newShelf(town()...)
	users := Users(all)
	for _, failure := range []error{errors.New("Index with name field:" + Field + " does not exist"),
		&cache.ErrCacheNotStarted{}, context.Canceled, context.DeadlineExceeded,
		apierrors.NewNotFound(schema.GroupResource{Group: "apps", Resource: "deployments"}, "key"),
		apierrors.NewTimeoutError("too slow", 1)} {
		for _, f := range forms[:3] {
			for _, s := range []secret{named("east", "key").like(f.name), named("north", "key").like(f.name)} {
				all.failure = failure
				c := calls(t, users, all, s)
				fails := fmt.Sprintf("List returns the error %q: ", failure)
				c.expect(t, c.panicked == nil, fails+"nothing panics", fmt.Sprintf("a panic: %v", c.panicked), "")
				c.asksWell(t, "")
				c.expect(t, len(c.got) == 0, fails+"there is no Request", "there were "+list(c.got), "")
				c.expect(t, len(c.errors) == 1, fails+"it is logged once, by Error of the logger of ctx",
					"Error was called "+times(len(c.errors)), "")
				c.expect(t, errors.Is(c.errors[0], failure), fails+"that is what is logged, as errors.Is says",
					fmt.Sprintf("it was %v", c.errors[0]), "")
				c.expect(t, c.took <= 1, fails+"it waits for nothing but List", fmt.Sprintf("it took %v", c.took), "")
				all.failure = nil
				leads(t, users, all, s)
			}
		}
	}
}

func TestTheEndOfCtx(t *testing.T) {
	exercise.Attempted(t)
	all := newShelf(town()...)
	users := Users(all)
	for range 2 {
		ctx, cancel := context.WithCancel(log.IntoContext(marked(context.Background()), logr.Discard()))
		all.asked, all.onList = nil, cancel
		_ = users(ctx, named("east", "key").object())
		cancel()
		exercise.Expect(t, len(all.asked) == 1, exercise.Verdict{Expected: "List is called once",
			Happened: "it was called " + times(len(all.asked))})
		exercise.Expect(t, all.asked[0].cancelled, exercise.Verdict{
			Expected: "the ctx of the call ends while List runs: that of List has ended, too",
			Happened: "it has not"})
	}
}

func TestTheRequestsAreTheCallers(t *testing.T) {
	exercise.Attempted(t)
	all := newShelf(town()...)
	users := Users(all)
	ctx := log.IntoContext(context.Background(), logr.Discard())
	first := users(ctx, named("east", "key").object())
	kept := written(first)
	_ = users(ctx, named("east", "tls").object())
	exercise.Expect(t, slices.Equal(written(first), kept), exercise.Verdict{
		Expected: "the Requests of a Secret stay as they are when the function is called with another one",
		Happened: fmt.Sprintf("they were %s, and are %s", list(kept), list(written(first)))})
	first = first[:cap(first)]
	for i := range first {
		first[i].Name = "scribbled"
	}
	leads(t, users, all, named("east", "key"))
}

// The cache is controller-runtime's.
func TestInAManagersCache(t *testing.T) {
	exercise.Attempted(t)
	key, tls := named("east", "key"), named("east", "tls").like("a *metav1.PartialObjectMetadata of the kind Secret")
	lives(t, func(w *world) {
		w.add(using("an env", "key", "an envFrom", "tls", "imagePullSecrets", "key"))
		w.leads(key)
		w.leads(tls)
		w.leads(named("west", "key"))
		w.add(using("a volume's secret", "key").at("west", "shop"))
		w.add(using("an initContainer's env", "key").at("east", "till"))
		w.leads(key)
		w.leads(named("west", "key"))
		w.change(using("an env", "tls"))
		w.leads(key)
		w.leads(tls)
		w.remove(using("an initContainer's env", "key").at("east", "till"))
		w.leads(key)
		w.change(using("a configMap volume", "tls"))
		w.leads(tls)
	})
}

func TestAnyManagersCache(t *testing.T) {
	exercise.Attempted(t)
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(13, seed))
		lives(t, func(w *world) {
			for range 40 {
				d := some(r, 5)
				is := slices.ContainsFunc(w.all, func(o deployment) bool { return o.key() == d.key() })
				switch {
				case !is:
					w.add(d)
				case r.IntN(3) == 0:
					w.remove(d)
				default:
					w.change(d)
				}
				for range 3 {
					s := named(fmt.Sprintf("ns-%d", r.IntN(3)), []string{"a", "b", "c", "ns-1", "A"}[r.IntN(5)])
					w.leads(s.like(forms[r.IntN(3)].name))
				}
			}
		})
	}
}

func TestSeveralAtOneTime(t *testing.T) {
	exercise.Attempted(t)
	shelves := newShelf(town()...)
	users := Users(shelves)
	objects := make([]client.Object, 0, 9)
	these := append(town(), all(places))
	for _, d := range these {
		objects = append(objects, d.object())
	}
	asked := []secret{named("east", "key"), named("west", "key"), named("east", "tls")}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var wrong []string
	note := func(what fmt.Stringer, got, want []string) {
		if !slices.Equal(got, want) {
			mu.Lock()
			defer mu.Unlock()
			wrong = append(wrong, fmt.Sprintf("%v led to %s, and not to %s", what, list(got), list(want)))
		}
	}
	for g := range 6 {
		wait.Go(func() {
			for range 30 {
				for i, o := range objects {
					note(these[i], sorted(Secrets(o)), these[i].values())
					if g == 0 {
						o.DeepCopyObject() // somebody reads it
					}
				}
				s := asked[g%len(asked)]
				note(s, written(users(context.Background(), s.object())), s.users(shelves.deployments))
			}
		})
	}
	wait.Wait()
	exercise.Expect(t, len(wrong) == 0, exercise.Verdict{
		Expected: "six goroutines call Secrets and the function that Users made: each gets what it asked for",
		Happened: times(len(wrong)) + " it was another answer; first, " + strings.Join(wrong[:min(1, len(wrong))], "")})
}

// Each list has room behind its end, in which others have theirs: slices of one array are cheap.
func TestWhatIsBehindAList(t *testing.T) {
	exercise.Attempted(t)
	room := func() (d *appsv1.Deployment, containers []corev1.Container, volumes []corev1.Volume,
		pulls []corev1.LocalObjectReference) {
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			containers = append(containers, corev1.Container{Name: name, EnvFrom: []corev1.EnvFromSource{
				{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: reference(name)}}}})
			volumes = append(volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
				Secret: &corev1.SecretVolumeSource{SecretName: name}}})
			pulls = append(pulls, reference(name))
		}
		d = &appsv1.Deployment{}
		spec := &d.Spec.Template.Spec
		spec.InitContainers, spec.Containers = containers[:1], containers[4:5]
		spec.Volumes, spec.ImagePullSecrets = volumes[:1], pulls[:2]
		return d, containers, volumes, pulls
	}
	_, wantContainers, wantVolumes, wantPulls := room()
	d, containers, volumes, pulls := room()
	got := sorted(Secrets(d))
	exercise.Expect(t, slices.Equal(got, []string{"a", "b", "e"}), exercise.Verdict{
		Expected: "a Deployment uses a in a volume and an envFrom, e in an envFrom, and a and b as imagePullSecrets: the " +
			"values of Secrets are a, b, e", Happened: "they were " + list(got)})
	exercise.Expect(t, reflect.DeepEqual(containers, wantContainers) && reflect.DeepEqual(volumes, wantVolumes) &&
		reflect.DeepEqual(pulls, wantPulls), exercise.Verdict{
		Expected: "the lists of a Deployment have room behind their ends: what is there stays as it is",
		Happened: "it was changed",
		PointsTo: "the belief that append makes a new slice. If there is room behind the old one it writes there, and that may " +
			"be somebody else's"})
}
