package two_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/exercises/3-two-controllers"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestOneNoteIsKept(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes()[:1], func(s *scene) {
		s.has("a", "entries=2", "a has two entries", "")
		s.change("a", `{"data":{"scratch":"?"}}`)
		s.has("a", "entries=2", "a has two entries, and one that is tidied away", "")
		s.change("a", `{"data":{"snack":"nuts"}}`)
		s.has("a", "entries=3", "a gets another entry", "")
	})
}

func TestBothNotesAreKept(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		s.expect(s.added == nil, "two notes with two names: Add returns nil", fmt.Sprintf("it returned: %v",
			s.added), "")
		s.has("a", "entries=2, size=7", "a has two entries of 7 bytes", theirs(s))
		s.change("a", `{"data":{"snack":"nuts"},"metadata":{"annotations":{"other.example.com/color":"red"}}}`)
		s.has("a", "color=red, entries=3, size=11", "a gets another entry, and somebody's annotation", theirs(s))
		s.create("b", nil)
		s.pass(time.Minute)
		s.has("b", "entries=0, size=0", "b has no entries", theirs(s))
	})
}

// theirs is a belief, if a write has taken away annotations.
func theirs(s *scene) string {
	if slices.ContainsFunc(s.wire.writes(), func(c call) bool {
		return c.verb == "PATCH" && strings.Contains(c.body,
			":null")
	}) {
		return "the belief that the annotations of an object are one's own. A patch that is made from a new map " +
			"takes " +
			"away all others"
	}
	return ""
}

func TestWhatSomebodyElseDoesToANote(t *testing.T) {
	exercise.Attempted(t)
	const known = "the belief that a note is right because it was written. Anybody may change it"
	play(t, notes(), func(s *scene) {
		s.change("a", `{"metadata":{"annotations":{"notes.example.com/size":"huge"}}}`)
		s.has("a", "entries=2, size=7", "somebody changes the note size", known)
		s.change("a", `{"metadata":{"annotations":{"notes.example.com/entries":null}}}`)
		s.has("a", "entries=2, size=7", "somebody takes the note entries away", known)
		s.change("a", `{"metadata":{"annotations":null}}`)
		s.has("a", "entries=2, size=7", "somebody takes all annotations away", known)
	})
}

func TestAnEmptyNote(t *testing.T) {
	exercise.Attempted(t)
	food := Note{Name: named("food"), Annotation: "notes.example.com/food",
		Value: func(c *corev1.ConfigMap) string { return c.Data["food"] }}
	play(t, []Note{food}, func(s *scene) {
		s.has("a", "food=soup", "the food is soup", "")
		s.change("a", `{"data":{"food":null}}`)
		s.has("a", "food=", "there is no food any more, and what Value says is empty", "")
		s.create("b", nil)
		s.pass(time.Minute)
		s.has("b", "food=", "b never had any", "the belief that an annotation that is not there is an empty one. A "+
			"map "+
			"returns \"\" for both")
	})
}

func TestANoteOfAnyText(t *testing.T) {
	exercise.Attempted(t)
	for _, text := range []string{`a "quoted" word \ another`, "two\nlines", "a bell: \a", "null",
		"soup & <nuts> 🥜"} {
		said := Note{Name: named("said"), Annotation: "notes.example.com/said",
			Value: func(c *corev1.ConfigMap) string { return c.Data["said"] }}
		play(t, []Note{said}, func(s *scene) {
			data, _ := json.Marshal(map[string]any{"data": map[string]string{"said": text}})
			s.change("a", string(data))
			got := s.send(http.MethodGet, "a", "").Annotations[said.Annotation]
			belief := ""
			if slices.ContainsFunc(s.wire.of(said.Annotation), func(c call) bool {
				return c.code == http.StatusBadRequest && strings.Contains(c.body, `: \a`)
			}) {
				belief = "the belief that Go quotes as JSON does. %q and strconv.Quote write \\a for a bell, and " +
					"JSON has no such thing"
			}
			s.expect(got == text, fmt.Sprintf("Value says %q, and that is the note", text),
				fmt.Sprintf("the note is %q", got), belief)
		})
	}
}

func TestTheNames(t *testing.T) {
	exercise.Attempted(t)
	taken := notes()
	play(t, taken, func(*scene) {})
	const same = "the belief that a name is for people. The metrics of all controllers of one name are one"
	twice := notes()
	twice[1].Name = twice[0].Name
	play(t, twice, func(s *scene) {
		s.expect(s.added != nil, "two notes of one name: Add returns an error", "it returned nil", same)
	})
	again := notes()
	again[1].Name = taken[0].Name
	play(t, again, func(s *scene) {
		s.expect(s.added != nil, "another manager of the process has a controller of that name: Add returns an error",
			"it returned nil", same)
	})
}

func TestOneInformer(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		s.change("a", `{"data":{"snack":"nuts"}}`)
		s.has("a", "entries=3, size=11", "a gets another entry", "")
		watches := s.wire.those("WATCH")
		s.expect(len(watches) == 1, "all read from the one informer: one watch is open", fmt.Sprintf("%d were opened",
			len(watches)),
			map[bool]string{true: "the belief that an informer is one for each kind. The cache has one for each " +
				"kind and Go " +
				"type, and " +
				"unstructured and metadata-only objects have their own"}[len(watches) > 1])
		gets := s.wire.those("GET")
		gets = slices.DeleteFunc(gets, func(c call) bool { return c.name == "" })
		s.expect(len(gets) == 0, "all read from the cache: no object is asked for", said(gets),
			"the belief that a run should see the newest state. The cache shows it soon, and whoever asks each time "+
				"asks for "+
				"nothing")
	})
}

func TestWhatIsWritten(t *testing.T) {
	exercise.Attempted(t)
	both := notes()
	owners := map[string]string{entries: both[0].Name, size: both[1].Name}
	play(t, both, func(s *scene) {
		s.change("a", `{"data":{"snack":"nuts"},"metadata":{"labels":{"app":"shop"}}}`)
		for _, c := range s.wire.writes() {
			s.expect(c.verb == "PATCH", "a write is a merge patch", c.String()+": "+c.body,
				map[bool]string{true: "the belief that an " +
					"update changes what has changed. It writes the whole object as it was read, the notes of " +
					"others, " +
					"too"}[c.verb == "PUT"])
			keys, extra := inside(c.body)
			s.expect(extra == "" && len(keys) == 1 && owners[first(keys)] != "",
				"in a patch is one note, and nothing else",
				c.body, "")
			s.expect(c.manager == owners[first(keys)], fmt.Sprintf("the field manager of the patch of %s is %s",
				first(keys),
				owners[first(keys)]), fmt.Sprintf("it is %q", c.manager), "")
		}
	})
}

func first(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return keys[0]
}

// inside are the annotations in a patch, and what else there is besides the UID.
func inside(body string) (keys []string, extra string) {
	var patch map[string]map[string]any
	if err := json.Unmarshal([]byte(body), &patch); err != nil {
		return nil, body
	}
	annotations, _ := patch["metadata"]["annotations"].(map[string]any)
	keys = slices.Sorted(maps.Keys(annotations))
	delete(patch["metadata"], "annotations")
	delete(patch["metadata"], "uid")
	for name := range patch["metadata"] {
		extra = "metadata." + name
	}
	delete(patch, "metadata")
	for name := range patch {
		extra = name
	}
	return keys, extra
}

func TestNobodyIsInTheWay(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		var once sync.Once
		s.wire.on(func(string) {
			once.Do(func() {
				s.send(http.MethodPatch, "a", `{"metadata":{"labels":{"app":"shop"},"annotations":{"by":"me"}}}`)
			})
		}, nil)
		before := len(s.wire.writes())
		s.change("a", `{"data":{"snack":"nuts"}}`)
		writes := s.wire.writes()[before:]
		refused := slices.ContainsFunc(writes, func(c call) bool { return c.code == http.StatusConflict })
		s.expect(!refused, "somebody labels a between a run's read and its write: the write is not refused",
			said(writes),
			"the belief that a write should be refused if the object has changed at all. Nobody has changed what is "+
				"written")
		s.has("a", "by=me, entries=3, size=11", "somebody annotates a between a run's read and its write", "")
		s.expect(s.send(http.MethodGet, "a", "").Labels["app"] == "shop",
			"somebody labels a between a run's read and its write: "+
				"the label is there", "it is not", "")
	})
}

func TestNobodyWritesWhatIsRight(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		before := len(s.wire.writes())
		s.change("a", `{"metadata":{"labels":{"app":"shop"}}}`)
		s.change("a", `{"metadata":{"annotations":{"other.example.com/color":"red"}}}`)
		s.change("a", `{"data":{"scratch":"?"}}`)
		more := s.wire.writes()[before:]
		s.expect(len(more) == 0, "a has both notes, and is changed in what no note is about: nobody writes", said(more),
			map[bool]string{true: "the belief that a write which changes nothing costs nothing. It is a request, " +
				"for each " +
				"event"}[len(more) == 6])
		s.pass(11 * time.Hour) // a cache's default period of resync is ten
		more = s.wire.writes()[before:]
		s.expect(len(more) == 0, "a has both notes, and eleven hours pass: nobody writes", said(more), "")
	})
}

func TestAFailureIsMadeGood(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		s.wire.on(nil, func(body string) bool { return strings.Contains(body, entries) })
		s.change("a", `{"data":{"snack":"nuts"}}`)
		s.has("a", "entries=2, size=11", "the server refuses the writes of entries, and only those",
			"the belief that one run may do "+
				"the work of both. Where the one fails, the other does not come to pass")
		s.wire.on(nil, nil)
		s.pass(time.Hour)
		s.has("a", "entries=3, size=11", "the server refuses them no longer",
			"the belief that a change brings the next run, also "+
				"after a failure. Nothing changes")
	})
}

func TestTheOtherOneFailing(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		s.wire.on(nil, func(body string) bool { return strings.Contains(body, size) })
		s.change("a", `{"data":{"snack":"nuts"}}`)
		s.has("a", "entries=3, size=7", "the server refuses the writes of size, and only those",
			"the belief that one run may do "+
				"the work of both. Where the one fails, the other does not come to pass")
		s.wire.on(nil, nil)
		s.pass(time.Hour)
		s.has("a", "entries=3, size=11", "the server refuses them no longer", "")
	})
}

func TestAnyRefusalIsAFailure(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		belief := ""
		for i, code := range []int{500, http.StatusConflict, http.StatusUnprocessableEntity} {
			drink := strings.Repeat("x", i+10) // entries has nothing to write
			s.wire.once(size, code)
			s.change("a", `{"data":{"drink":"`+drink+`"}}`)
			s.has("a", fmt.Sprintf("entries=2, size=%d", len(drink)+len("soup")),
				fmt.Sprintf("the server refuses one write of size, with %d %s, and no more", code,
					http.StatusText(code)), belief)
			belief = "the belief that 409 and 422 are said of another UID, and of nothing else. Admission says " +
				"them, too, and a server that loses its own race"
		}
	})
}

func TestWhatIsBeingDeleted(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		s.change("a", `{"metadata":{"finalizers":["example.com/export"],"deletionTimestamp":"2000-01-01T00:00:00Z"}}`)
		s.change("a", `{"data":{"snack":"nuts"}}`)
		s.has("a", "entries=3, size=11", "a is being deleted, a finalizer holds it, and it gets another entry",
			"the belief that what is being deleted is gone. Until its last finalizer goes it is there, and is read")
	})
}

func TestTheOthersFailuresDoNotCount(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		// again is how long it takes until a write of size that fails is made again. Entries has nothing to write.
		again := func(drink string) time.Duration {
			before := len(s.wire.of(size))
			s.change("a", `{"data":{"drink":"`+drink+`"}}`)
			s.pass(time.Hour)
			calls := s.wire.of(size)[before:]
			s.expect(len(calls) == 2, "a write of size fails once: it is made again, once", said(calls), "")
			if len(calls) < 2 {
				return 0
			}
			return calls[1].at - calls[0].at
		}
		s.wire.once(size, 500)
		alone := again("coffee")
		s.wire.on(nil, func(body string) bool { return strings.Contains(body, entries) })
		s.change("a", `{"data":{"snack":"nuts"}}`)
		s.pass(time.Hour)
		var refused atomic.Bool
		s.wire.on(nil, func(body string) bool {
			return strings.Contains(body, entries) || refused.CompareAndSwap(false, true)
		})
		beside := again("cocoa!!")
		s.expect(beside <= 2*alone+time.Second, fmt.Sprintf("entries has failed for an hour, and size fails for the "+
			"first time: its write is made again as soon as when nothing else had failed, after %v", alone),
			fmt.Sprintf("it was made again after %v", beside),
			"the belief that failures are counted for each controller. A limiter counts for all who have it, by "+
				"the object's name")
		s.wire.on(nil, nil)
		s.pass(time.Hour)
	})
}

func TestTheQueuesLimiter(t *testing.T) {
	exercise.Attempted(t)
	for _, code := range []int{500, http.StatusConflict} {
		play(t, notes(), func(s *scene) {
			s.wire.always(size, code)
			before := len(s.wire.of(size))
			s.change("a", `{"data":{"drink":"coffee"}}`)
			s.pass(time.Hour)
			tries := len(s.wire.of(size)) - before
			s.expect(tries >= 10 && tries <= 40, fmt.Sprintf("the server answers each write of size with %d %s for an "+
				"hour: it is made again after pauses that grow, as the queue's limiter has it, some twenty times",
				code, http.StatusText(code)), fmt.Sprintf("it was made %d times", tries),
				map[bool]string{true: "the belief that a refused write is best made again at once. The queue does " +
					"that better: it knows how often it has failed"}[tries > 90])
			s.wire.on(nil, nil)
			s.pass(time.Hour)
			s.has("a", "entries=2, size=10", "the server refuses them no longer", "")
		})
	}
}

func TestASlowOne(t *testing.T) {
	exercise.Attempted(t)
	for slow := range 2 {
		both := notes()
		value := both[slow].Value
		var quick atomic.Bool
		both[slow].Value = func(c *corev1.ConfigMap) string {
			if !quick.Load() {
				time.Sleep(time.Hour)
			}
			return value(c)
		}
		play(t, both, func(s *scene) {
			s.has("a", []string{"size=7", "entries=2"}[slow], "the Value of the other note takes an hour", "")
			s.pass(3 * time.Hour)
			s.has("a", "entries=2, size=7", "the Value of one note takes an hour, and three hours have passed", "")
			quick.Store(true)
			s.pass(time.Hour)
		})
	}
}

func TestASlowWrite(t *testing.T) {
	exercise.Attempted(t)
	for slow, annotation := range []string{entries, size} {
		play(t, notes(), func(s *scene) {
			s.wire.on(func(body string) {
				if strings.Contains(body, annotation) {
					time.Sleep(10 * time.Minute)
				}
			}, nil)
			s.change("a", `{"data":{"snack":"nuts"}}`)
			s.change("a", `{"data":{"fruit":"figs"}}`)
			s.has("a", []string{"entries=2, size=15", "entries=4, size=7"}[slow],
				"a write of the other note hangs for ten minutes", "the belief that two writes to one object must not "+
					"meet. Each writes what the other one does not")
			s.wire.on(nil, nil)
			s.pass(time.Hour)
			s.has("a", "entries=4, size=15", "a write of one note hung for ten minutes, and an hour has passed", "")
		})
	}
}

func TestSomebodyIsQuick(t *testing.T) {
	exercise.Attempted(t)
	for _, theirs := range []string{`"many"`, `"2"`, `null`} {
		play(t, notes()[:1], func(s *scene) {
			var once sync.Once
			s.wire.then(func(string) {
				once.Do(func() {
					s.send(http.MethodPatch, "a", `{"metadata":{"annotations":{"`+entries+`":`+theirs+`}}}`)
					time.Sleep(time.Second) // the cache has it before the run has ended
				})
			})
			s.change("a", `{"data":{"snack":"nuts"}}`)
			s.has("a", "entries=3", "the note is written, and before a run reads it, somebody makes it "+theirs, "the "+
				"belief that every state of an object is read once. A cache has the last one, and what was written "+
				"may never be seen")
		})
	}
}

func TestWhatIsGone(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes()[:1], func(s *scene) {
		s.send(http.MethodDelete, "a", "")
		s.pass(time.Hour)
		s.expect(s.failed() == "none", "a is deleted: that is no failure", "failures: "+s.failed(),
			"the belief that what is not there "+
				"is a failure. Each deletion would be followed by one, which comes again for ever")
	})
	play(t, notes()[:1], func(s *scene) {
		var once sync.Once
		s.wire.on(func(string) { once.Do(func() { s.send(http.MethodDelete, "a", "") }) }, nil)
		s.change("a", `{"data":{"snack":"nuts"}}`)
		s.pass(time.Hour)
		s.expect(s.failed() == "none", "a is deleted between a run's read and its write: that is no failure",
			"failures: "+s.failed(), "")
	})
	play(t, notes()[:1], func(s *scene) {
		var once sync.Once
		s.wire.on(func(string) {
			once.Do(func() {
				s.send(http.MethodDelete, "a", "")
				s.create("a", map[string]string{"drink": "tea"})
			})
		}, nil)
		s.change("a", `{"data":{"snack":"nuts"}}`)
		s.pass(time.Hour)
		const again = "a is deleted and created again between a run's read and its write"
		s.expect(s.failed() == "none", again+": that is no failure", "failures: "+s.failed(),
			"the belief that a patch with a UID is never refused, or as an update is, with a conflict. With another UID it is "+
				"answered with 422 Invalid. No run has to see to the new object: its own event brings one")
		s.has("a", "entries=1", again, "")
	})
	play(t, notes(), func(s *scene) {
		s.send(http.MethodDelete, "a", "")
		s.pass(time.Hour)
		s.create("a", map[string]string{"drink": "tea"})
		s.pass(time.Minute)
		s.has("a", "entries=1, size=3", "a is deleted, and an hour later created", "")
	})
}

func TestThreeNotes(t *testing.T) {
	exercise.Attempted(t)
	three := append(notes(), Note{Name: named("keys"), Annotation: "notes.example.com/keys",
		Value: func(c *corev1.ConfigMap) string { return strings.Join(slices.Sorted(maps.Keys(c.Data)), " ") }})
	play(t, three, func(s *scene) {
		s.has("a", "entries=2, keys=drink food, size=7", "there are three notes", "")
		s.expect(s.failed() == "none", "nothing has failed", "failures: "+s.failed(), "")
	})
}

func TestAllOfItMayBeTidiedUp(t *testing.T) {
	exercise.Attempted(t)
	tidy := notes()[:1]
	value := tidy[0].Value
	tidy[0].Value = func(c *corev1.ConfigMap) string {
		clear(c.Annotations)
		for _, bytes := range c.BinaryData {
			clear(bytes)
		}
		if c.Immutable != nil {
			*c.Immutable = false
		}
		for _, owner := range c.OwnerReferences {
			*owner.Controller = false
		}
		return value(c)
	}
	for _, more := range []string{`"binaryData":{"salt":"c2FsdA=="}`, `"immutable":true`, `"metadata":{` +
		`"ownerReferences":[{"apiVersion":"v1","kind":"Shop","name":"shop","uid":"1","controller":true}]}`} {
		again := tidy[0]
		again.Name = named("entries")
		play(t, []Note{again}, func(s *scene) {
			s.change("a", `{"data":{"scratch":"?"}}`)
			s.change("a", `{`+more+`}`)
			s.has("a", "entries=2", "Value tidies up all that it is given", "")
		})
	}
}

func TestWhatValueLeavesIsNotWhatIs(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that what Value was given is still what was read. It has been tidied up"
	value := notes()[0].Value
	bare := Note{Name: named("entries"), Annotation: entries, Value: func(c *corev1.ConfigMap) string {
		c.Annotations = nil
		return value(c)
	}}
	play(t, []Note{bare}, func(s *scene) {
		before := len(s.wire.writes())
		s.change("a", `{"metadata":{"labels":{"app":"shop"}}}`)
		more := s.wire.writes()[before:]
		s.expect(len(more) == 0, "Value tidies the annotations away, and the note is right: nobody writes", said(more),
			belief)
	})
	early := Note{Name: named("entries"), Annotation: entries, Value: func(c *corev1.ConfigMap) string {
		answer := value(c)
		c.Annotations = map[string]string{entries: answer}
		return answer
	}}
	play(t, []Note{early}, func(s *scene) {
		s.has("a", "entries=2", "Value leaves the right note in what it was given", belief)
	})
}

func TestManyObjects(t *testing.T) {
	exercise.Attempted(t)
	play(t, notes(), func(s *scene) {
		for i := range 20 {
			s.create("m"+strconv.Itoa(i), map[string]string{"n": strconv.Itoa(i)})
		}
		s.pass(time.Hour)
		for i := range 20 {
			s.has("m"+strconv.Itoa(i), "entries=1, size="+strconv.Itoa(len(strconv.Itoa(i))),
				"there are twenty more", "")
		}
	})
}
