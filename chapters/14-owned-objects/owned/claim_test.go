package owned_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// asks is the request by which live is asked for the set.
const asks = "get *v1alpha1.ProcessSet web"

var processes = v1alpha1.GroupVersion.WithResource("processes").GroupResource()

// claim is one, of the Processes that the site's API server has, by the set as a cache has it.
func (s *site) claim(t *testing.T, set *v1alpha1.ProcessSet) (mine []string, err error) {
	t.Helper()
	var all v1alpha1.ProcessList
	require.NoError(t, s.List(t.Context(), &all))
	got, err := owned.Claim(t.Context(), set, all.Items, s.live, s.over)
	return called(got), err
}

// owners are those of a Process now, the one that controls it with a star.
func (s *site) owners(t *testing.T, name string) (owners []string) {
	t.Helper()
	var p v1alpha1.Process
	require.NoError(t, s.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, &p))
	for _, r := range p.OwnerReferences {
		if r.Controller != nil && *r.Controller {
			r.Name += "*"
		}
		owners = append(owners, r.Name)
	}
	return owners
}

// A row of Claim's doc comment. What is sent is one patch, or nothing.
func TestClaim(t *testing.T) {
	type changes = []func(*v1alpha1.Process)
	for name, c := range map[string]struct {
		child    changes
		deleted  bool // the set
		is       bool
		requests []string
		owners   []string
	}{
		"its own": {is: true, owners: []string{"web*"}},
		"its own, of two owners": {child: changes{shared}, is: true,
			owners: []string{"web*", "settings"}},
		"its own, going": {child: changes{slow}, is: true, owners: []string{"web*"}},
		"its own, does not match": {child: changes{unmatched}, requests: []string{"patch web-0"},
			owners: nil},
		"its own, does not match, of two owners": {child: changes{shared, unmatched}, requests: []string{"patch web-0"},
			owners: []string{"settings"}},
		"its own, and the set goes": {deleted: true, is: true, owners: []string{"web*"}},
		"its own, does not match, and the set goes": {child: changes{unmatched}, deleted: true,
			owners: []string{"web*"}},

		"an orphan": {child: changes{orphan}, is: true, requests: []string{asks, "patch web-0"},
			owners: []string{"web*"}},
		"an orphan of another owner": {child: changes{orphan, shared}, is: true,
			requests: []string{asks, "patch web-0"}, owners: []string{"settings", "web*"}},
		"an orphan, going":              {child: changes{orphan, slow}},
		"an orphan, and the set goes":   {child: changes{orphan}, deleted: true},
		"an orphan that does not match": {child: changes{orphan, unmatched}},

		"a namesake's":                       {child: changes{strangers}, owners: []string{"web*"}},
		"a namesake's, does not match":       {child: changes{strangers, unmatched}, owners: []string{"web*"}},
		"a namesake's, and the set goes":     {child: changes{strangers}, deleted: true, owners: []string{"web*"}},
		"a namesake's, of another's as well": {child: changes{strangers, shared}, owners: []string{"web*", "settings"}},
	} {
		t.Run(name, func(t *testing.T) {
			set := web(1)
			if c.deleted {
				going(set)
			}
			s := newSite(t, set, child("web-0", c.child...))
			mine, err := s.claim(t, set)
			require.NoError(t, err)
			require.Equal(t, c.is, len(mine) == 1, "%v", mine)
			require.Equal(t, c.requests, s.requests())
			require.Equal(t, c.owners, s.owners(t, "web-0"))
		})
	}
}

// The patch is for this object, as it was read, and has all of the references.
func TestAPatchOfReferences(t *testing.T) {
	s := newSite(t, web(1), child("web-0", orphan, shared), child("web-1", shared, unmatched))
	_, err := s.claim(t, web(1))
	require.NoError(t, err)
	require.JSONEq(t, `{"metadata":{"uid":"uid of web-0","resourceVersion":"999","ownerReferences":[
		{"apiVersion":"v1","kind":"ConfigMap","name":"settings","uid":"uid of settings"},
		{"apiVersion":"scratch.example.com/v1alpha1","kind":"ProcessSet","name":"web","uid":"uid of web",
			"controller":true,"blockOwnerDeletion":true}]}}`, s.patches["web-0"])
	require.JSONEq(t, `{"metadata":{"uid":"uid of web-1","resourceVersion":"999","ownerReferences":[
		{"apiVersion":"v1","kind":"ConfigMap","name":"settings","uid":"uid of settings"}]}}`, s.patches["web-1"])

	s = newSite(t, web(1), child("web-1", unmatched))
	_, err = s.claim(t, web(1))
	require.NoError(t, err)
	var patch map[string]map[string]any
	require.NoError(t, json.Unmarshal([]byte(s.patches["web-1"]), &patch))
	require.Empty(t, patch["metadata"]["ownerReferences"])
	require.Contains(t, patch["metadata"], "ownerReferences", "none is said, and not left out")
}

// Live is asked once, before the first adoption, and not if nothing is to be adopted.
func TestLiveIsAskedOnce(t *testing.T) {
	s := newSite(t, web(1), child("web-0"), child("web-1", unmatched), child("web-2", orphan), child("web-3", orphan))
	mine, err := s.claim(t, web(1))
	require.NoError(t, err)
	require.Equal(t, []string{"web-0", "web-2", "web-3"}, mine)
	require.Equal(t, []string{"patch web-1", asks, "patch web-2", "patch web-3"}, s.requests())
	_, err = s.claim(t, web(1))
	require.NoError(t, err)
	require.Empty(t, s.requests())
}

// A set that is not what the cache says adopts nothing. It says why, of each orphan, and keeps what it has.
func TestAStaleSetAdoptsNothing(t *testing.T) {
	for why, there := range map[string]func(s *v1alpha1.ProcessSet) *v1alpha1.ProcessSet{
		`"web" not found`: func(*v1alpha1.ProcessSet) *v1alpha1.ProcessSet { return nil },
		"it had UID uid of web, and web has another one": func(s *v1alpha1.ProcessSet) *v1alpha1.ProcessSet {
			s.UID = "uid of another"
			return s
		},
		"has been in deletion since 03:04:05": func(s *v1alpha1.ProcessSet) *v1alpha1.ProcessSet {
			going(s)
			return s
		},
	} {
		t.Run(why, func(t *testing.T) {
			objects := []client.Object{child("web-0", orphan), child("web-1"), child("web-2", orphan)}
			if set := there(web(1)); set != nil {
				objects = append(objects, set)
			}
			s := newSite(t, objects...)
			mine, err := s.claim(t, web(1))
			require.ErrorContains(t, err, why)
			require.ErrorContains(t, err, "adopt web-0")
			require.ErrorContains(t, err, "adopt web-2")
			require.Equal(t, []string{"web-1"}, mine)
			require.Equal(t, []string{asks}, s.requests(), "what was refused once is not asked again")
		})
	}
	s, down := newSite(t, web(1), child("web-0", orphan)), errors.New("the API server is down")
	s.refuses[asks] = down
	mine, err := s.claim(t, web(1))
	require.ErrorIs(t, err, down)
	require.Empty(t, mine)
	require.Equal(t, []string{asks}, s.requests())
}

// Without a reader the set is taken for what it is.
func TestClaimWithoutALiveReader(t *testing.T) {
	s := newSite(t, child("web-0", orphan))
	p := child("web-0", orphan)
	require.NoError(t, s.Get(t.Context(), client.ObjectKeyFromObject(p), p))
	mine, err := owned.Claim(t.Context(), web(1), []v1alpha1.Process{*p}, nil, s.over)
	require.NoError(t, err)
	require.Equal(t, []string{"web-0"}, called(mine))
}

// What is gone is nobody's, and that is no failure. Any other failure is one, and the others are claimed all the same.
func TestFailuresOfAClaim(t *testing.T) {
	objects := func() []client.Object {
		return []client.Object{web(1), child("web-0", orphan), child("web-1", unmatched), child("web-2", orphan),
			child("web-3", unmatched), child("web-4")}
	}
	gone := apierrors.NewNotFound(processes, "web-0")
	s := newSite(t, objects()...)
	s.refuses["patch web-0"], s.refuses["patch web-1"] = gone, gone
	mine, err := s.claim(t, web(1))
	require.NoError(t, err)
	require.Equal(t, []string{"web-2", "web-4"}, mine)
	require.Empty(t, s.owners(t, "web-3"))

	first, second := errors.New("no adoption today"), apierrors.NewInvalid(owned.Kind.GroupKind(), "web-1", nil)
	s = newSite(t, objects()...)
	s.refuses["patch web-0"], s.refuses["patch web-1"] = first, second
	mine, err = s.claim(t, web(1))
	require.ErrorIs(t, err, first)
	require.ErrorIs(t, err, second)
	require.ErrorContains(t, err, "web-1, which may be another object by now")
	require.NotErrorIs(t, err, gone)
	require.Equal(t, []string{"web-2", "web-4"}, mine)
	require.Empty(t, s.owners(t, "web-3"))
}

// Somebody else has written meanwhile, and perhaps an owner: nothing is written over it.
func TestAClaimOfWhatHasChanged(t *testing.T) {
	s := newSite(t, web(1), child("web-0", orphan))
	var all v1alpha1.ProcessList
	require.NoError(t, s.List(t.Context(), &all))
	now := all.Items[0].DeepCopy()
	shared(now)
	require.NoError(t, s.Update(t.Context(), now))
	mine, err := owned.Claim(t.Context(), web(1), all.Items, s.live, s.over)
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.Empty(t, mine)
	require.Equal(t, []string{"settings"}, s.owners(t, "web-0"))
	require.Empty(t, all.Items[0].OwnerReferences, "what a cache may share stays as it was")
}
