package predicates_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/exercises/2-predicates"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestCreations(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	decides(t, p, "create ours", run, "")
	decides(t, p, "create ours label:app=shop note:example.com/x=1 status=3", run, "")
	decides(t, p, "create ours gen=0", run, "")
	decides(t, p, "create theirs", none, "")
	decides(t, p, "create unmarked", none, "")
	decides(t, p, "create unmarked label:scratch.example.com/classes=web", none, "")
	decides(t, p, "initial ours", run, "the belief that what is there at the start has been dealt with. Nobody knows "+
		"what "+
		"happened before")
	decides(t, p, "initial ours gen=5 v=70 status=3", run, "")
	decides(t, p, "initial theirs", none, "")
	decides(t, p, "create ours deleting finalizer=a", run, "the belief that what is being deleted is as good as gone. "+
		"Its "+
		"finalizers may be ours to see to")
	decides(t, p, "initial ours deleting finalizer=a", run, "")
}

func TestDeletions(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	decides(t, p, "delete ours", run, "the belief that there is nothing to do for what is gone. It may have left "+
		"something behind")
	decides(t, p, "delete ours deleting gen=2", run, "")
	decides(t, p, "delete theirs", none, "")
	decides(t, p, "delete unmarked", none, "")
	decides(t, p, "lost ours", run, "")
	const last = "the belief that the object of a deletion is what was deleted. Nobody has seen what it was at its end"
	decides(t, p, "lost theirs", run, last)
	decides(t, p, "lost unmarked", run, last)
}

func TestGenericEvents(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	decides(t, p, "generic ours", run, "")
	decides(t, p, "generic theirs", run, "")
	decides(t, p, "generic unmarked", run, "")
	exercise.Expect(t, p.Generic(event.GenericEvent{}), exercise.Verdict{
		Expected: "a generic event without an object: it leads to a run", Happened: "it leads to none"})
}

func TestUpdatesOfOthers(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	for _, update := range []string{
		"theirs v=1 -> theirs v=2", "theirs v=1 gen=1 -> theirs v=2 gen=2", "unmarked v=1 gen=1 -> unmarked v=2 gen=2",
		"theirs v=1 -> unmarked v=2", "unmarked v=1 -> theirs v=2", "theirs v=1 -> theirs v=1",
		"theirs v=1 -> theirs v=2 note:scratch.example.com/pause=yes", "unmarked v=1 gen=0 -> unmarked v=2 gen=0",
		"theirs v=1 uid=u1 -> theirs v=2 uid=u2", "theirs v=2 gen=2 deleting finalizer=a finalizer=b -> " +
			"theirs v=3 gen=2 deleting finalizer=a",
		"unmarked v=1 -> unmarked v=1", "unmarked v=1 uid=u1 -> theirs v=2 uid=u2",
		"theirs v=1 gen=0 -> theirs v=2 gen=0", "theirs v=1 gen=0 -> unmarked v=2 gen=0",
	} {
		decides(t, p, "update "+update, none, "")
	}
}

func TestWhatBecomesOurs(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	const other = "the belief that an update is about what the object is. What was done for it while it was ours is " +
		"still there"
	decides(t, p, "update unmarked v=1 -> ours v=2", run, "")
	decides(t, p, "update theirs v=1 -> ours v=2", run, "")
	decides(t, p, "update ours v=1 -> theirs v=2", run, other)
	decides(t, p, "update ours v=1 -> unmarked v=2", run, other)
	decides(t, p, "update ours v=1 gen=1 -> theirs v=2 gen=2", run, other)
	decides(t, p, "update ours v=1 gen=1 -> theirs v=2 gen=2 deleting finalizer=a", run, other)
}

func TestTheSpec(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	decides(t, p, "update ours v=1 gen=1 -> ours v=2 gen=2", run, "")
	decides(t, p, "update ours v=1 gen=1 status=1 -> ours v=9 gen=7 status=2", run, "")
	decides(t, p, "update ours v=1 gen=4 -> ours v=2 gen=5 note:example.com/x=1", run, "")
	decides(t, p, "update ours v=9 gen=5 -> ours v=7 gen=4", run, "the belief that a generation only grows. Where a "+
		"backup was put back it is smaller, and the spec is another")
}

func TestTheStatus(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	const own = "the belief that each change is news. A run writes the status, and its own write would lead to the " +
		"next one"
	decides(t, p, "update ours v=1 status=1 -> ours v=2 status=2", none, own)
	decides(t, p, "update ours v=1 gen=3 -> ours v=2 gen=3 status=2", none, own)
	decides(t, p, "update ours v=1 gen=3 deleting finalizer=a -> ours v=2 gen=3 status=2 deleting finalizer=a",
		none, "")
	decides(t, p, "update ours v=1 note:scratch.example.com/pause=yes -> ours v=2 status=2 "+
		"note:scratch.example.com/pause=yes",
		none, own)
}

func TestOtherMetadata(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	for _, update := range []string{
		"ours v=1 -> ours v=2 label:app=shop", "ours v=1 label:app=shop -> ours v=2 label:app=web",
		"ours v=1 -> ours v=2 label:scratch.example.com/tier=1", "ours v=1 -> ours v=2 note:example.com/x=1",
		"ours v=1 note:example.com/x=1 -> ours v=2", "ours v=1 note:example.com/x=1 -> ours v=2 note:example.com/x=2",
		"ours v=1 -> ours v=2 note:my-scratch.example.com/pause=yes",
		"ours v=1 -> ours v=2 note:scratch.example.com.org/x=1",
		"ours v=1 -> ours v=2 finalizer=a", "ours v=1 finalizer=a -> ours v=2", "ours v=1 -> ours v=2 owner=b",
		"ours v=1 -> ours v=2 manager=kubectl", "ours v=1 finalizer=a finalizer=b -> ours v=2 finalizer=b",
	} {
		decides(t, p, "update "+update, none, "")
	}
}

func TestOurAnnotations(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	const empty = "the belief that an annotation that is not there and an empty one are the same. A map returns \"\" " +
		"for both"
	const count = "the belief that the number of annotations tells whether one has come or gone. Others come and go " +
		"in the same update"
	decides(t, p, "update ours v=1 -> ours v=2 note:scratch.example.com/pause=yes", run, "")
	decides(t, p, "update ours v=1 note:scratch.example.com/pause=yes -> ours v=2 note:scratch.example.com/pause=no",
		run, "")
	decides(t, p, "update ours v=1 note:scratch.example.com/pause=yes -> ours v=2", run, "")
	decides(t, p, "update ours v=1 note:scratch.example.com/pause=yes -> ours v=2 note:scratch.example.com/paused=yes",
		run, "")
	decides(t, p, "update ours v=1 -> ours v=2 note:scratch.example.com/pause=", run, empty)
	decides(t, p, "update ours v=1 note:scratch.example.com/pause= -> ours v=2", run, empty)
	decides(t, p, "update ours v=1 note:scratch.example.com/pause= -> ours v=2 note:scratch.example.com/resume=", run, empty)
	decides(t, p, "update ours v=1 note:example.com/x=1 note:scratch.example.com/a=1 -> "+
		"ours v=2 note:example.com/x=2 note:scratch.example.com/b=", run, "")
	decides(t, p, "update ours v=1 note:scratch.example.com/a=1 note:scratch.example.com/b=2 -> "+
		"ours v=2 note:scratch.example.com/a=2 note:scratch.example.com/b=1", run, "")
	for _, update := range []string{
		"ours v=1 note:scratch.example.com/pause=yes -> ours v=2 note:example.com/x=1",
		"ours v=1 note:scratch.example.com/pause=yes -> ours v=2 note:example.com/x=1 note:example.com/y=2",
		"ours v=1 note:example.com/x=1 -> ours v=2 note:scratch.example.com/pause=yes",
		"ours v=1 note:example.com/x=1 note:example.com/y=2 -> ours v=2 note:scratch.example.com/pause=yes",
	} {
		decides(t, p, "update "+update, run, count)
	}
}

func TestAResync(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	const equal = "the belief that an equal object needs no run. A resync is for what a run has missed, or has not " +
		"yet " +
		"put right"
	decides(t, p, "update ours v=7 -> ours v=7", run, equal)
	decides(t, p, "update ours v=7 gen=3 status=2 note:scratch.example.com/pause=yes -> "+
		"ours v=7 gen=3 status=2 note:scratch.example.com/pause=yes", run, equal)
	decides(t, p, "update ours v=7 gen=0 -> ours v=7 gen=0", run, equal)
}

func TestAnotherObject(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	const one = "the belief that an update is about one object. After a watch that broke off a new one of that name " +
		"may come as an " +
		"update, and its generation, too, is 1"
	decides(t, p, "update ours v=1 uid=u1 -> ours v=9 uid=u2", run, one)
	decides(t, p, "update ours v=3 uid=u1 status=1 -> ours v=9 uid=u2", run, one)
	decides(t, p, "update ours v=1 gen=2 uid=u1 -> ours v=9 gen=1 uid=u2", run, "")
}

func TestNoGeneration(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	const each = "the belief that each kind has a generation. A ConfigMap's is 0, whatever changes"
	decides(t, p, "update ours v=1 gen=0 data=1 -> ours v=2 gen=0 data=2", run, each)
	decides(t, p, "update ours v=1 gen=0 -> ours v=2 gen=0 label:app=shop", run, "")
}

func TestWhatIsBeingDeleted(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	decides(t, p, "update ours v=1 gen=1 finalizer=a -> ours v=2 gen=2 finalizer=a deleting", run,
		"the belief that the deletion "+
			"will tell. It waits for the finalizers, and whoever has one is to do something first")
	decides(t, p, "update ours v=2 gen=2 finalizer=a finalizer=b deleting -> ours v=3 gen=2 finalizer=a deleting",
		run, "")
	decides(t, p, "update ours v=2 gen=2 finalizer=a finalizer=b deleting -> ours v=3 gen=2 finalizer=b deleting",
		run, "")
	decides(t, p, "update ours v=2 gen=2 finalizer=a deleting -> ours v=3 gen=3 finalizer=a deleting", run, "")
	decides(t, p, "update ours v=2 gen=2 finalizer=a finalizer=b deleting -> ours v=3 gen=2 finalizer=a finalizer=c "+
		"deleting",
		run, "")
	decides(t, p, "update ours v=2 gen=2 finalizer=a finalizer=b -> ours v=3 gen=2 finalizer=a deleting", run, "")
	decides(t, p, "update ours v=2 gen=2 finalizer=a deleting=60 -> ours v=3 gen=2 finalizer=a deleting=30", none,
		"the belief that another deletionTimestamp is another deletion. It moves when somebody gives a deletion that "+
			"has begun less time")
	decides(t, p, "update ours v=2 gen=2 finalizer=a deleting -> ours v=3 gen=2 finalizer=a finalizer=b deleting", run, "")
	decides(t, p, "update ours v=2 gen=2 finalizer=a deleting -> ours v=3 gen=2 deleting", run, "")
	const theirs = "the belief that the garbage collector's finalizers are nobody's business. When one goes, what depended " +
		"on the object is gone, too"
	for _, f := range []string{metav1.FinalizerDeleteDependents, metav1.FinalizerOrphanDependents, "kubernetes"} {
		decides(t, p, "update ours v=2 gen=2 finalizer="+f+" finalizer=a deleting -> ours v=3 gen=2 finalizer=a deleting",
			run, theirs)
	}
	decides(t, p, "update ours v=2 gen=2 finalizer=a finalizer=b finalizer=c deleting -> ours v=3 gen=2 finalizer=a deleting",
		run, "")
	decides(t, p, "update ours v=2 gen=2 finalizer=a finalizer=b deleting grace=30 -> "+
		"ours v=3 gen=2 finalizer=a deleting grace=30", run, "the belief that in its grace period an object is not yet "+
		"being deleted. What has a deletionTimestamp is, and its finalizers go meanwhile")
	const others = "update ours v=2 gen=2 finalizer=z finalizer=a deleting -> ours v=3 gen=2 finalizer=z finalizer=a deleting"
	decides(t, p, others+" status=2", none, "")
	decides(t, p, others+" note:scratch.example.com/size=2", run, "the belief that of what is being deleted the finalizers "+
		"alone matter. The controller may be told how it is to clean up")
}

func TestAnotherObjectOfAnotherClass(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	decides(t, p, "update ours v=1 uid=u1 -> theirs v=2 uid=u2", run, "the belief that another UID is a creation and nothing "+
		"else. The one that was there is gone, and it was ours")
	decides(t, p, "update theirs v=1 uid=u1 -> ours v=2 uid=u2", run, "")
	decides(t, p, "update ours v=7 -> ours v=7 status=2", run, "the belief that a resync hands out two equal objects. It is the "+
		"resourceVersion that is the same")
}

func TestNothingIsRemembered(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	const again = "the belief that what was told once need not be told again. A run may have begun before"
	for range 3 {
		decides(t, p, "create ours", run, again)
		decides(t, p, "update ours v=1 gen=1 -> ours v=2 gen=2", run, again)
		decides(t, p, "update ours v=2 gen=2 -> ours v=3 gen=2", none, "")
		decides(t, p, "update ours v=7 -> ours v=7", run, again)
		decides(t, p, "generic ours", run, again)
		decides(t, p, "delete ours", run, again)
	}
}

// A change is what an update may change: the words of the object before, and those after it.
type change struct{ before, after string }

// aside are changes that matter to nobody.
var aside = []change{
	{"v=9", "v=10"}, {"v=999", "v=1000"}, {"v=20", "v=3"}, // what a resourceVersion says is whether it is another
	{"status=1", "status=2"}, {"", "label:app=shop"}, {"label:app=shop", ""}, {"note:example.com/x=1", ""},
	{"", "note:beta.scratch.example.com/x=1"}, {"", "note:Scratch.example.com/x=1"}, {"", "owner=b"},
	{"", "manager=kubectl"}, {"finalizer=a", ""}, {"finalizer=a", "finalizer=b"},
	{"deleting=60", "deleting=30"}, {"deleting=60 grace=60", "deleting=30 grace=30"},
}

func TestWhatElseChanges(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	for _, c := range aside {
		belief := ""
		if c.before == "v=9" || c.before == "v=999" {
			belief = "the belief that resourceVersions can be compared as texts. As texts, 10 comes before 9"
		}
		for _, also := range aside {
			if text, ok := update(c, also); ok {
				decides(t, p, text, none, belief)
			}
		}
		for _, matters := range []change{
			{"uid=u1", "uid=u2"}, {"gen=2", "gen=3"}, {"gen=3", "gen=2"}, {"", "note:" + Prefix + "a="},
			{"note:" + Prefix + "a=1", ""}, {"note:" + Prefix + "a=1", "note:" + Prefix + "a=2"},
			{"", "note:" + Class + "=db"}, {"finalizer=a finalizer=b deleting", "finalizer=b deleting"},
			{"finalizer=a deleting", "deleting"},
		} {
			if text, ok := update(c, matters); ok {
				decides(t, p, text, run, "")
			}
		}
	}
	decides(t, p, "update ours v=1 gen=0 data=1 finalizer=a deleting -> ours v=2 gen=0 data=2 finalizer=a deleting", run,
		"the belief that of what is being deleted finalizers and annotations alone matter. It may wait long for others")
	for _, c := range aside {
		if text, ok := update(c, change{"gen=0", "gen=0"}); ok {
			decides(t, p, text, run, "")
		}
	}
}

// update puts two changes together, if they can be.
func update(a, b change) (text string, ok bool) {
	first, second := a.before+" "+a.after, b.before+" "+b.after
	for _, word := range []string{"v=", "status=", "finalizer=", "deleting"} {
		if strings.Contains(first, word) && strings.Contains(second, word) {
			return "", false
		}
	}
	if both := first + second; strings.Contains(both, "deleting=") && strings.Contains(both, "finalizer=") {
		return "", false
	}
	before, after := "ours v=1", "ours v=2"
	if strings.Contains(first+second, "v=") {
		before, after = "ours", "ours"
	}
	words := []string{"update", before, a.before, b.before, "->", after, a.after, b.after}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	return strings.Join(words, " "), true
}

func TestOtherClasses(t *testing.T) {
	exercise.Attempted(t)
	web, db := New(class), New("db")
	decides(t, web, "create ours", run, "")
	decides(t, db, "create ours", none, "")
	decides(t, db, "create theirs", run, "")
	decides(t, db, "update theirs v=1 gen=1 -> theirs v=2 gen=2", run, "")
	decides(t, db, "update ours v=1 gen=1 -> ours v=2 gen=2", none, "")
	decides(t, web, "create theirs", none, "")
}

func TestManyAskAtOneTime(t *testing.T) {
	exercise.Attempted(t)
	p := New(class)
	events := []string{"create ours", "delete ours", "generic ours", "update ours v=1 gen=1 -> ours v=2 gen=2",
		"update ours v=1 -> ours v=2 note:scratch.example.com/pause=yes", "update ours v=7 -> ours v=7"}
	var informers sync.WaitGroup
	wrong := make([]string, 8)
	for i := range wrong {
		informers.Go(func() {
			for range 50 {
				for _, e := range events {
					if leads, _ := tell(p, e, whole); !leads {
						wrong[i] = e
					}
				}
			}
		})
	}
	informers.Wait()
	for _, e := range wrong {
		exercise.Expect(t, e == "", exercise.Verdict{Expected: "eight informers ask at one time, each: it leads to " +
			"a run",
			Happened: e + ": it leads to none"})
	}
}
