package owned_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// controller is one with our parts, over a site's cache.
func (s *site) controller(changes ...func(*owned.Parts)) *owned.Reconciler {
	parts := owned.Ours()
	for _, change := range changes {
		change(&parts)
	}
	return owned.New(s.over, s.live, parts)
}

// get is the request by which live is asked for a child.
func get(name string) string { return "get *v1alpha1.Process " + name }

// What is missing is made from the template, by the next names.
func TestWhatIsMissingIsMade(t *testing.T) {
	set := web(3)
	set.Spec.Template.Annotations = map[string]string{"a": "x"}
	s := newSite(t, set, child("web-1"), child("web-blue", strangers))
	r := s.controller()
	r.Notes().Create(event.CreateEvent{Object: child("web-1")})
	_, err := s.run(t, r)
	require.NoError(t, err)
	require.Equal(t, []string{"create web-2", "create web-3"}, s.requests())
	var p v1alpha1.Process
	require.NoError(t, s.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "web-2"}, &p))
	require.Equal(t, set.Spec.Template, v1alpha1.ProcessTemplate{Labels: p.Labels, Annotations: p.Annotations,
		Spec: p.Spec})
	require.Equal(t, []string{"web*"}, s.owners(t, "web-2"))
}

// A child shares nothing with the set that it is made from, which a cache may share.
func TestAChildIsACopy(t *testing.T) {
	set := web(1)
	set.Spec.Template.Annotations = map[string]string{"a": "x"}
	set.Spec.Template.Spec.Args = []string{"1"}
	p, was := owned.Child(set, "web-0"), set.DeepCopy()
	p.Labels["app"], p.Annotations["a"], p.Spec.Args[0] = "y", "y", "y"
	require.Equal(t, was, set)
}

// A set says how many it wants, or wants one.
func TestWanted(t *testing.T) {
	set := web(3)
	require.Equal(t, 3, owned.Wanted(set))
	*set.Spec.Replicas = 0
	require.Zero(t, owned.Wanted(set))
	set.Spec.Replicas = nil
	require.Equal(t, 1, owned.Wanted(set))
}

// A number is not used twice: not one that the cache has shown and that is free again, nor one that the set says. The
// set says it as soon as it was shown, and never less than before.
func TestANumberIsNotUsedTwice(t *testing.T) {
	s := newSite(t, web(1))
	r := s.controller()
	r.Notes().Create(event.CreateEvent{Object: child("web-4")})
	r.Notes().Delete(event.DeleteEvent{Object: child("web-4")})
	_, err := s.run(t, r)
	require.NoError(t, err)
	require.Equal(t, []string{"create web-5"}, s.requests())
	require.Equal(t, 5, owned.Next(s.set(t)), "web-5 was not shown yet")

	s = newSite(t, s.set(t))
	r = s.controller() // which has been shown nothing
	_, err = s.run(t, r)
	require.NoError(t, err)
	require.Equal(t, []string{"list", "create web-5"}, s.requests())
	require.Equal(t, 5, owned.Next(s.set(t)))
}

// The name that comes next is there, and the cache does not show it. The API server says whose it is: the set's counts,
// and no other does, so that there is one more request.
func TestANameThatExists(t *testing.T) {
	for name, c := range map[string]struct {
		there    func(*v1alpha1.Process)
		requests []string
	}{
		"the set's":         {runs, []string{"create web-0", get("web-0"), "create web-1"}},
		"a stranger's":      {strangers, []string{"create web-0", get("web-0"), "create web-1", "create web-2"}},
		"nobody's":          {orphan, []string{"create web-0", get("web-0"), "create web-1", "create web-2"}},
		"the set's, going":  {slow, []string{"create web-0", get("web-0"), "create web-1", "create web-2"}},
		"the set's, unlike": {unmatched, []string{"create web-0", get("web-0"), "create web-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, web(2), child("web-0", c.there))
			s.hidden["web-0"] = true
			_, err := s.run(t, s.controller())
			require.NoError(t, err)
			require.Equal(t, c.requests, s.requests())
		})
	}
}

// What exists is gone when the API server is asked, or can't be asked for.
func TestANameThatExistedOrIsUnknown(t *testing.T) {
	s := newSite(t, web(1))
	s.refuses["create web-0"] = apierrors.NewAlreadyExists(processes, "web-0")
	_, err := s.run(t, s.controller())
	require.NoError(t, err)
	require.Equal(t, []string{"create web-0", get("web-0"), "create web-1"}, s.requests())

	s = newSite(t, web(2), child("web-0", strangers))
	s.hidden["web-0"] = true
	s.refuses[get("web-0")] = errors.New("the API server is down")
	_, err = s.run(t, s.controller())
	require.ErrorIs(t, err, s.refuses[get("web-0")])
	require.Equal(t, []string{"create web-0", get("web-0")}, s.requests())
}

// A name that the cache shows is not asked for, whoever has it.
func TestANameThatIsShown(t *testing.T) {
	s := newSite(t, web(2), child("web-0", strangers), child("web-1", unmatched, orphan), child("web-2", slow))
	_, err := s.run(t, s.controller())
	require.NoError(t, err)
	require.Equal(t, []string{"create web-3", "create web-4"}, s.requests())
}

// A set says that more numbers were used than the cache has shown: then the children are read live, until it has.
func TestACacheThatIsBehindTheSet(t *testing.T) {
	set := web(1)
	set.Annotations = map[string]string{owned.NextNumber: "5"}
	s := newSite(t, set, child("web-4"))
	s.hidden["web-4"] = true
	r := s.controller()
	_, err := s.run(t, r)
	require.NoError(t, err)
	require.Equal(t, []string{"list"}, s.requests(), "web-4 is there, and nothing is made")
	require.Equal(t, int32(1), s.set(t).Status.Replicas)

	s.hidden = nil
	r.Notes().Create(event.CreateEvent{Object: child("web-4")})
	_, err = s.run(t, r)
	require.NoError(t, err)
	require.Empty(t, s.requests())

	s.refuses["list"] = errors.New("the API server is down")
	_, err = s.run(t, s.controller())
	require.ErrorIs(t, err, s.refuses["list"])
	require.Equal(t, []string{"list"}, s.requests())

	s.refuses["list"] = nil
	_, err = s.run(t, s.controller(func(p *owned.Parts) { p.Generated = true }))
	require.NoError(t, err)
	require.Empty(t, s.requests(), "names that the API server thinks of have no numbers")
}

// A create that is refused ends the run. The next one tries the same again: nothing is waited for.
func TestTheFirstRefusedCreateIsTheLast(t *testing.T) {
	s := newSite(t, web(3))
	refused := errors.New("the quota is used up")
	s.refuses["create web-1"] = refused
	r := s.controller()
	_, err := s.run(t, r)
	require.ErrorIs(t, err, refused)
	require.Equal(t, []string{"create web-0", "create web-1"}, s.requests())
	r.Notes().Create(event.CreateEvent{Object: child("web-0")})
	s.refuses = nil
	_, err = s.run(t, r)
	require.NoError(t, err)
	require.Equal(t, []string{"create web-1", "create web-2"}, s.requests())
}

// What is too much goes in the order of Rank, and by UID. One deletion that is refused does not keep the others, and
// what is gone is no failure.
func TestWhatIsTooMuchGoes(t *testing.T) {
	s := newSite(t, web(1), child("web-0"), child("web-1", runs), child("web-2"), child("web-3"), child("web-4", slow))
	refused := errors.New("not this one")
	s.refuses["delete web-3, uid of web-3"] = refused
	r := s.controller()
	_, err := s.run(t, r)
	require.ErrorIs(t, err, refused)
	require.ErrorContains(t, err, "delete web-3")
	require.Equal(t, []string{"delete web-3, uid of web-3", "delete web-2, uid of web-2", "delete web-0, uid of web-0"},
		s.requests())
	require.Equal(t, []string{"web-1", "web-3", "web-4"}, s.names(t))

	for _, name := range []string{"web-0", "web-2"} {
		r.Notes().Delete(event.DeleteEvent{Object: child(name)})
	}
	s.refuses["delete web-3, uid of web-3"] = apierrors.NewNotFound(processes, "web-3")
	_, err = s.run(t, r)
	require.NoError(t, err)
	require.Equal(t, []string{"delete web-3, uid of web-3"}, s.requests())
}

// While the cache has not shown what was made, nothing is made, and the status is written all the same. When it is not
// believed any more, the names keep what is there from being made again.
func TestARunThatIsLate(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		s := newSite(t, web(2))
		s.hidden["web-0"], s.hidden["web-1"] = true, true
		r := s.controller()
		result, err := s.run(t, r)
		require.NoError(t, err)
		require.Zero(t, result)
		require.Equal(t, []string{"create web-0", "create web-1"}, s.requests())

		r.Notes().Create(event.CreateEvent{Object: child("web-0")})
		s.hidden["web-0"] = false
		time.Sleep(time.Minute)
		result, err = s.run(t, r)
		require.NoError(t, err)
		require.Equal(t, owned.Timeout-time.Minute, result.RequeueAfter)
		require.Empty(t, s.requests())
		require.Equal(t, int32(1), s.set(t).Status.Replicas)

		time.Sleep(result.RequeueAfter)
		result, err = s.run(t, r)
		require.NoError(t, err)
		require.Zero(t, result)
		require.Equal(t, []string{"create web-1", get("web-1")}, s.requests())
		require.Equal(t, []string{"web-0", "web-1"}, s.names(t))
	})
}

// noting is a memory that notes when it is called, beside the requests.
type noting struct {
	owned.Nothing
	site *site
	err  error // of Late
}

func (n noting) note(what string, err error) {
	if err != nil {
		what += ", failed"
	}
	n.site.log = append(n.site.log, what)
}

func (n noting) Late(types.UID) (bool, time.Duration, error) {
	n.note("late?", nil)
	return false, 0, n.err
}
func (n noting) Creating(_ types.UID, name string) { n.note("creating "+name, nil) }
func (n noting) Created(_ types.UID, child *v1alpha1.Process, err error) {
	n.note("created "+child.Name, err)
}
func (n noting) Deleting(_, child types.UID)           { n.note("deleting "+string(child), nil) }
func (n noting) Deleted(_, child types.UID, err error) { n.note("deleted "+string(child), err) }
func (n noting) Saved(set *v1alpha1.ProcessSet)        { n.note("saved "+set.ResourceVersion, nil) }

// The memory is told of a request before it is sent, since its event may be faster than its answer; then of the answer,
// and in the end of the set, if anything of it was written. It is asked before the children are read.
func TestWhatTheMemoryIsTold(t *testing.T) {
	s := newSite(t, web(1))
	noted := func(p *owned.Parts) { p.Memory, p.Live = noting{site: s}, true }
	_, err := s.run(t, s.controller(noted))
	require.NoError(t, err)
	require.Equal(t, []string{"late?", "list", "creating web-0", "create web-0", "created web-0",
		"saved " + s.set(t).ResourceVersion}, s.requests())

	s = newSite(t, web(0), child("web-0"), child("web-1"))
	s.refuses["delete web-1, uid of web-1"] = errors.New("not this one")
	_, err = s.run(t, s.controller(noted))
	require.Error(t, err)
	require.Equal(t, []string{"late?", "list",
		"deleting uid of web-1", "delete web-1, uid of web-1", "deleted uid of web-1, failed",
		"deleting uid of web-0", "delete web-0, uid of web-0", "deleted uid of web-0",
		"saved " + s.set(t).ResourceVersion}, s.requests())

	s.refuses = nil
	for _, last := range []bool{false, false, true} {
		_, err = s.run(t, s.controller(noted))
		require.NoError(t, err)
		log := s.requests()
		require.Equal(t, last, len(log) == 2, "a run that writes nothing has saved nothing: %v", log)
	}

	s = newSite(t, web(1))
	s.refuses["create web-0"] = errors.New("no")
	_, err = s.run(t, s.controller(noted))
	require.Error(t, err)
	require.Contains(t, s.requests(), "created web-0, failed")

	unknown := errors.New("the cache is behind")
	_, err = s.run(t, s.controller(func(p *owned.Parts) { p.Memory = noting{site: s, err: unknown} }))
	require.ErrorIs(t, err, unknown)
	require.Equal(t, []string{"late?"}, s.requests(), "the run has ended")
}

// For a set that is being deleted nothing is made, deleted, adopted or released. Without the guard it is.
func TestASetThatIsBeingDeleted(t *testing.T) {
	for _, replicas := range []int32{0, 3} {
		set := web(replicas)
		going(set)
		s := newSite(t, set, child("web-0"), child("web-1", unmatched), child("web-2", orphan))
		_, err := s.run(t, s.controller())
		require.NoError(t, err)
		require.Empty(t, s.requests())
		_, err = s.run(t, s.controller(func(p *owned.Parts) { p.Unguarded = true }))
		require.NoError(t, err)
		require.NotEmpty(t, s.requests())
	}
}

// A claim that fails ends the run: nobody knows how many there are. The next one begins anew.
func TestAClaimThatFails(t *testing.T) {
	s := newSite(t, web(2), child("web-0", orphan))
	s.refuses["patch web-0"] = errors.New("no adoption today")
	_, err := s.run(t, s.controller())
	require.ErrorIs(t, err, s.refuses["patch web-0"])
	require.Equal(t, []string{asks, "patch web-0"}, s.requests())
	require.Zero(t, s.saves)
	s.refuses = nil
	_, err = s.run(t, s.controller(func(p *owned.Parts) { p.Trusting = true }))
	require.NoError(t, err)
	require.Equal(t, []string{"patch web-0", "create web-1"}, s.requests(), "and a trusting one does not ask")
}

// Names that the API server thinks of have no number, even if one looks like it, and the set says none.
func TestGeneratedNames(t *testing.T) {
	s := newSite(t, web(2))
	r := s.controller(func(p *owned.Parts) { p.Generated = true })
	r.Notes().Create(event.CreateEvent{Object: child("web-24789")})
	_, err := s.run(t, r)
	require.NoError(t, err)
	require.Equal(t, []string{"create web-", "create web-"}, s.requests())
	require.Empty(t, s.set(t).Annotations)
	require.Len(t, s.names(t), 2)
}

// What is gone is no failure, and no run.
func TestASetThatIsGone(t *testing.T) {
	s := newSite(t)
	result, err := s.run(t, s.controller())
	require.NoError(t, err)
	require.Zero(t, result)
	require.Empty(t, s.requests())
}
