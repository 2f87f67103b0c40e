// Stage 3: whose is the one that exists

package names_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/2-names"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// What several tests may point to.
const (
	refusalIsFailure = "the belief that a create that is refused has failed. A child that is there already was wanted"
	takenForSuccess  = "the belief that an object that exists is the one that was wanted. It is somebody else's, and one child " +
		"is missing"
)

// The simplest case: no name is taken.
func TestCreate(t *testing.T) {
	exercise.Attempted(t)
	create(t, serving(objects("web-0")...), objects("web-0"), 2, "and the server has no more").
		is(t, "web-1, web-2", "web-1, web-2", nil)
}

func TestTheCacheIsLate(t *testing.T) {
	exercise.Attempted(t)
	about := clues{
		"an error":            refusalIsFailure,
		"web-2, web-3, web-4": "the belief that a name that is taken is lost. Its child is alive, and now there are too many",
		"web-2":               "the belief that only a child that was made now counts as made. The caller wanted three names",
	}
	create(t, serving(objects("web-0", "web-1")...), nil, 3, "and the server has web-0 and web-1, which are this set's").
		is(t, "web-2", "web-0, web-1, web-2", about)
	create(t, serving(objects("web-0", "web-1")...), objects("web-0"), 1,
		"and the server has web-0 and web-1, which are this set's").is(t, "none", "web-1", about)
}

// Another process makes a child of the set, just before this one does.
func TestMadeInBetween(t *testing.T) {
	exercise.Attempted(t)
	s := serving()
	s.refuse("web-0", exists("web-0"), object("web-0"))
	create(t, s, nil, 2, "and another process makes web-0 for this set just before").
		is(t, "web-1", "web-0, web-1", clues{
			"an error": "the belief that a name that was free a moment ago is free. Only the create itself can say so",
		})
}

func TestStrangers(t *testing.T) {
	exercise.Attempted(t)
	other := Owner{Name: "other", UID: "uid-of-other"}
	for _, stranger := range []struct {
		story string
		whose option
		about clues
	}{
		{"whose controller is the set other", owners(reference(other, true)), nil},
		{"which has no owner", owners(), nil},
		{"whose controller is a set web that was deleted since, with another UID",
			owners(reference(Owner{Name: web.Name, UID: "uid-of-a-former-web"}, true)), clues{
				"web-0, web-1": "the belief that a name says who the owner is. This set has the name of one that was deleted, " +
					"and the garbage collector takes that one's children",
			}},
		{"whose controller is the set other, and this set is one more owner",
			owners(reference(web, false), reference(other, true)), clues{
				"web-0, web-1": "the belief that each owner manages an object. One alone does, the one that is its controller",
			}},
	} {
		about := clues{"web-0, web-1": takenForSuccess, "an error": "the belief that a name that a stranger has is the end. " +
			"There are other numbers"}
		for outcome, belief := range stranger.about {
			about[outcome] = belief
		}
		create(t, serving(object("web-0", stranger.whose)), nil, 2, "and the server has web-0, "+stranger.story).
			is(t, "web-1, web-2", "web-1, web-2", about)
	}
	create(t, serving(object("web-1", owners()), object("web-2", owners()), object("web-4")), nil, 4,
		"and the server has web-1 and web-2, which have no owner, and web-4, which is this set's").
		is(t, "web-0, web-3, web-5", "web-0, web-3, web-4, web-5", nil)
}

func TestItsOwnAndBeingDeleted(t *testing.T) {
	exercise.Attempted(t)
	create(t, serving(object("web-0", deleted)), nil, 2,
		"and the server has web-0, which is this set's and being deleted").
		is(t, "web-1, web-2", "web-1, web-2", clues{
			"web-0, web-1": "the belief that what is one's own is there to stay. This child ends, and nobody makes another",
			"no end": "the belief that a name that is being deleted is free soon. Its finalizer may take hours, and the next " +
				"number is free now",
			"an error": "the belief that a run has to wait for a name that is being deleted. The next number is free now",
		})
}

// Either number is right for the child, and so is an error: the next run sees better.
func TestGoneMeanwhile(t *testing.T) {
	exercise.Attempted(t)
	s := serving()
	s.refuse("web-0", exists("web-0"))
	r := create(t, s, nil, 1, "and the server refuses web-0, which exists, but is gone before a Get")
	good := r.err != nil || len(r.made) == 1 && slices.Equal(r.made, r.names)
	exercise.Expect(t, good && !r.spun, exercise.Verdict{
		Expected: r.story + " makes one child and returns its name, or returns an error",
		Happened: r.happened(),
	})
}

func TestFailures(t *testing.T) {
	exercise.Attempted(t)
	down := apierrors.NewServiceUnavailable("no leader")
	s := serving()
	s.refuse("web-1", down)
	create(t, s, nil, 3, "and the server is unavailable for web-1").fails(t, down, "web-0", "web-0", clues{
		"web-0, web-2, web-3": "the belief that another number mends a failure. Nobody has said that the name is taken",
	})
	s = serving(objects("web-1")...)
	s.broken["web-1"] = down
	create(t, s, nil, 3, "and the server has web-1, and fails when it is asked whose it is").
		fails(t, down, "web-0", "web-0", clues{
			"web-0, web-2, web-3": "the belief that what is not known is a stranger's. It may be this set's own child, and then " +
				"there are too many",
			"web-0, web-1, web-2": "the belief that an object that exists is this set's until somebody says otherwise. If it is a " +
				"stranger's, one child is missing",
		})
}

func TestNotEach409(t *testing.T) {
	exercise.Attempted(t)
	quota := apierrors.NewConflict(processes, "web-1", errors.New("the quota was modified, try again"))
	s := serving()
	s.refuse("web-1", quota)
	const each = "the belief that each 409 says that the name is taken. A conflict is another one, and the reason tells"
	create(t, s, nil, 3, "and the server answers web-1 with a 409, a conflict over a quota").
		fails(t, quota, "web-0", "web-0", clues{"web-0, web-1, web-2": each, "web-0, web-2, web-3": each})
}

func TestWhereCreateBegins(t *testing.T) {
	exercise.Attempted(t)
	noted := web
	noted.Unused = 7
	s := serving()
	names, err := Create(t.Context(), s, noted, objects("web-2†"), 1)
	exercise.Expect(t, err == nil && list(names) == "web-7", exercise.Verdict{
		Expected: "the set has Unused 7, the cache shows web-2, which is being deleted: Create of 1 returns web-7",
		Happened: run{names: names, err: err, made: s.made}.happened(),
		PointsTo: "the belief that a server that takes a name has never seen it. It forgets what is deleted",
	})
}

func TestItsContext(t *testing.T) {
	exercise.Attempted(t)
	ctx, cancel := context.WithCancel(t.Context())
	s := serving()
	s.refused["web-1"] = func() error {
		cancel()
		s.objects["web-1"] = object("web-1")
		return exists("web-1")
	}
	names, err := Create(ctx, s, web, nil, 3)
	r := run{names: names, err: err, made: s.made}
	exercise.Expect(t, errors.Is(err, context.Canceled) && list(names) == "web-0", exercise.Verdict{
		Expected: "the context ends while web-1 is created: Create of 3 returns web-0 and an error in which errors.Is finds " +
			"context.Canceled",
		Happened: r.happened(),
		PointsTo: map[bool]string{true: "the belief that a context is there for whoever calls. The requests are to end with " +
			"it"}[err == nil],
	})
}

func TestTheCacheIsNotChanged(t *testing.T) {
	exercise.Attempted(t)
	children := objects("web-3", "web-1", "web-10", "web-2†")
	before := slices.Clone(children)
	copies := make([]*metav1.PartialObjectMetadata, 0, len(children))
	for _, child := range children {
		copies = append(copies, child.DeepCopy())
	}
	Missing(5, children)
	Next(web, children, 2)
	create(t, serving(), children, 2, "and the server has nothing")
	same := slices.Equal(children, before)
	for i, child := range before {
		same = same && child.Name == copies[i].Name && child.DeletionTimestamp.Equal(copies[i].DeletionTimestamp)
	}
	exercise.Expect(t, same, exercise.Verdict{
		Expected: "the list of children is afterwards as it was: " + shows(before),
		Happened: shows(children),
		PointsTo: "the belief that a list from a cache is the caller's to sort",
	})
}
