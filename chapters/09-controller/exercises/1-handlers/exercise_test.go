package handlers_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/exercises/1-handlers"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const (
	mirrorsOfMenu = "east/menu, north/menu, south/menu"
	allOfHomeMenu = "east/menu, home/menu, north/menu, south/menu"
)

func TestWhatAnObjectConcerns(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.adds("add mirror north/menu", "north/menu", nil)
		s.adds("add source home/menu", mirrorsOfMenu, clues{
			"home/menu": "the belief that the object of an event is what is to be made right. A run is about a mirror's place",
		})
		s.adds("add source north/menu", mirrorsOfMenu, nil)
		s.adds("add source home/rules", "north/rules, south/rules", nil)
		s.adds("add none north/menu", "north/menu", clues{
			nothing: "the belief that what has no role is nobody's business. A mirror may have lost its label, or a place may be taken",
		})
		s.adds("add namespace north", "north/menu, north/rules", nil)
		s.adds("add namespace west", "west/rules", nil)
	})
}

func TestNothingIsRemembered(t *testing.T) {
	exercise.Attempted(t)
	again := clues{nothing: "the belief that a place that was added need not be added again. A run may have begun before this change"}
	play(t, func(s *scene) {
		s.adds("add mirror north/menu", "north/menu", nil)
		time.Sleep(time.Hour)
		s.adds("add mirror north/menu", "north/menu", again)
		s.adds("add source home/menu", mirrorsOfMenu, nil)
		s.relations.namespaces = []string{"south", "west"}
		s.adds("add source home/menu", "south/menu, west/menu", clues{
			mirrorsOfMenu: "the belief that those who ask are known once and for all",
		})
		s.adds("add namespace north", "north/menu, north/rules", nil)
		s.relations.names = []string{"soups"}
		s.adds("add namespace north", "north/soups", nil)
	})
}

func TestAllIsAddedAtOnce(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.adds("add mirror north/menu today=soup of:home", "north/menu", nil)
		s.adds("update mirror north/menu today=soup of:home 7 -> mirror north/menu today=stew of:home 8", "north/menu", nil)
		s.adds("delete source home/menu today=soup of:home", mirrorsOfMenu, nil)
	})
}

func TestTheInitialListIsNews(t *testing.T) {
	exercise.Attempted(t)
	known := clues{nothing: "the belief that what is there at the start has been dealt with. Nobody knows what happened before"}
	play(t, func(s *scene) {
		s.adds("initial mirror north/menu", "north/menu", known)
		s.adds("initial source home/menu", mirrorsOfMenu, known)
		s.adds("initial namespace north", "north/menu, north/rules", known)
	})
}

func TestAnUpdateConcernsBoth(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.adds("update source home/menu -> none home/menu", allOfHomeMenu, clues{
			"home/menu": "the belief that an update is about what the object is. What it was has left something behind",
		})
		s.adds("update none home/menu -> source home/menu", allOfHomeMenu, nil)
		s.adds("update mirror north/menu -> source north/menu", mirrorsOfMenu, nil)
		s.adds("update namespace north -> namespace north", "north/menu, north/rules", nil)
	})
}

func TestWhateverHasChanged(t *testing.T) {
	exercise.Attempted(t)
	resync := clues{nothing: "the belief that an equal resourceVersion says that there is nothing to do. It says that the object " +
		"is the same, and not that the last run succeeded"}
	data := clues{nothing: "the belief that a handler can tell whether there is something to do. It sees one object, and a run " +
		"compares it with others"}
	play(t, func(s *scene) {
		s.adds("update mirror north/menu today=soup 7 -> mirror north/menu today=stew 8", "north/menu", nil)
		s.adds("update mirror north/menu of:home 7 -> mirror north/menu of:nobody 8", "north/menu", data)
		s.adds("update source home/menu today=soup 7 -> source home/menu today=soup 8", mirrorsOfMenu, data)
		s.adds("update mirror north/menu 7 -> mirror north/menu 7", "north/menu", resync)
		s.adds("update source home/menu 7 -> source home/menu 7", mirrorsOfMenu, resync)
	})
}

func TestWhatIsBeingDeleted(t *testing.T) {
	exercise.Attempted(t)
	going := clues{nothing: "the belief that what is being deleted is as good as gone, and that its deletion will tell. Its " +
		"finalizers may take long, and what should stand until then is the run's question"}
	play(t, func(s *scene) {
		s.adds("add mirror north/menu going", "north/menu", going)
		s.adds("add source home/menu going", mirrorsOfMenu, going)
		s.adds("add namespace north going", "north/menu, north/rules", going)
	})
	play(t, func(s *scene) {
		s.adds("update mirror north/menu -> mirror north/menu going", "north/menu", going)
		s.adds("update source home/menu -> source home/menu going", mirrorsOfMenu, going)
		s.adds("update none home/menu going -> source home/menu going", allOfHomeMenu, going)
		s.adds("update namespace north -> namespace north going", "north/menu, north/rules", going)
		s.adds("delete source home/menu going", mirrorsOfMenu, going)
	})
}

func TestADeletionConcernsWhatWas(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.adds("delete mirror north/menu", "north/menu", clues{
			nothing: "the belief that there is nothing to do about an object that is gone. It may be wanted",
		})
		s.adds("delete source home/menu", mirrorsOfMenu, nil)
		s.adds("delete none north/menu", "north/menu", nil)
		s.adds("delete namespace north", "north/menu, north/rules", clues{
			nothing: "the belief that a namespace takes all with it. It may only have lost the label that the informer selects by",
		})
	})
}

func TestATombstoneHasAKey(t *testing.T) {
	exercise.Attempted(t)
	const old = "the belief that a tombstone's object is what was deleted. It is what the cache had, and that may be old"
	typed := clues{
		nothing:  "the belief that a deletion always comes with its object",
		panicked: "the belief that a deletion always comes with its object",
	}
	play(t, func(s *scene) {
		s.adds("tombstone home/menu, last seen: source home/menu", allOfHomeMenu, clues{mirrorsOfMenu: old,
			nothing: typed[nothing], panicked: typed[nothing]})
	})
	play(t, func(s *scene) {
		s.adds("tombstone home/menu, last seen: mirror home/menu", allOfHomeMenu, clues{"home/menu": old})
		s.adds("tombstone home/menu, last seen: none home/menu", allOfHomeMenu, clues{"home/menu": old})
		s.adds("tombstone home/menu, last seen: nothing", allOfHomeMenu, clues{nothing: old, panicked: old})
		s.adds("tombstone home/rules, last seen: nothing", "home/rules, north/rules, south/rules", nil)
	})
	play(t, func(s *scene) {
		s.adds("tombstone north, last seen: namespace north", "north/menu, north/rules", nil)
		s.adds("tombstone north, last seen: nothing", "north/menu, north/rules", clues{nothing: old, panicked: old})
	})
}

func TestAnotherTypeConcernsNothing(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		s.adds("add pod north/web", nothing, nil)
		s.adds("delete pod north/web", nothing, nil)
		s.adds("update pod north/web -> pod north/web", nothing, nil)
	})
}

func TestWhatRelationsReturnIsNotChanged(t *testing.T) {
	exercise.Attempted(t)
	play(t, func(s *scene) {
		for _, event := range []string{"add source home/menu", "update source home/menu -> none home/menu",
			"delete source home/menu",
			"tombstone home/menu, last seen: nothing", "add namespace north", "tombstone north, last seen: nothing"} {
			s.tell(event)
			got := fmt.Sprint(s.relations.namespaces[:cap(s.relations.namespaces)],
				s.relations.names[:cap(s.relations.names)])
			fresh := newRelations()
			want := fmt.Sprint(fresh.namespaces[:cap(fresh.namespaces)], fresh.names[:cap(fresh.names)])
			if got != want {
				exercise.Report(t, exercise.Verdict{
					Expected: fmt.Sprintf("%s: what Relations returned is as it was, also behind its end: %s", event, want),
					Happened: "it is now " + got,
				})
				return
			}
		}
	})
}

func TestTwoInformers(t *testing.T) {
	exercise.Attempted(t)
	var lock sync.Mutex
	var added []string
	h := New(newRelations(), func(k Key) {
		lock.Lock()
		defer lock.Unlock()
		added = append(added, k.String())
	})
	var informers sync.WaitGroup
	const rounds = 200
	for range rounds {
		informers.Go(func() { h.OnUpdate(object("source home/menu"), object("none home/menu")) })
		informers.Go(func() { h.OnAdd(object("namespace west"), false) })
	}
	informers.Wait()
	slices.Sort(added)
	got := map[string]bool{}
	for _, place := range added {
		got[place] = true
	}
	exercise.Expect(t, len(got) == 5 && len(added) >= 5*rounds, exercise.Verdict{
		Expected: fmt.Sprintf("the two informers call the handler %d times each, at the same time: it adds 5 places, each "+
			"%d times at least", rounds, rounds),
		Happened: fmt.Sprintf("it added %d places: %v; in all, %d adds", len(got), slices.Compact(added), len(added)),
	})
}
