package apiserver

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// create stores a new object. uid and creationTimestamp are the server's to give.
func (s *Server) create(resource Resource, w http.ResponseWriter, r *http.Request) error {
	if err := refuseApply(r); err != nil {
		return err
	}
	next, err := s.readObject(resource, r)
	if err != nil {
		return err
	}
	if next.GetResourceVersion() != "" {
		return apierrors.NewBadRequest("resourceVersion should not be set on objects to be created")
	}
	if next.GetName() == "" && next.GetGenerateName() != "" {
		next.SetName(next.GetGenerateName() + rand.String(5))
	}
	if problems := validation.NameIsDNSSubdomain(next.GetName(), false); len(problems) > 0 {
		path := field.NewPath("metadata", "name")
		return apierrors.NewInvalid(resource.groupVersion().WithKind(resource.Kind).GroupKind(), next.GetName(),
			field.ErrorList{field.Invalid(path, next.GetName(), problems[0])})
	}
	next.SetUID(uuid.NewUUID())
	next.SetCreationTimestamp(metav1.NewTime(time.Now()))
	key := resource.key(next.GetNamespace(), next.GetName())
	o, err := s.store.Create(key, next.Object)
	if err != nil {
		return errorAbout(resource, key.Name, err)
	}
	writeObject(w, http.StatusCreated, o)
	return nil
}

// update replaces the whole object.
func (s *Server) update(resource Resource, w http.ResponseWriter, r *http.Request) error {
	next, err := s.readObject(resource, r)
	if err != nil {
		return err
	}
	if name := r.PathValue("name"); next.GetName() != name {
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s) does not match the name on the URL (%s)", next.GetName(), name))
	}
	o, err := s.guaranteedUpdate(resource, r, func(*unstructured.Unstructured) (*unstructured.Unstructured, error) {
		return next.DeepCopy(), nil
	})
	if err != nil {
		return err
	}
	writeObject(w, http.StatusOK, o)
	return nil
}

// guaranteedUpdate reads the object, lets change make the next one of it, and writes that on the
// condition that nobody else has written since; else it begins again. A client that says which
// resourceVersion it means gets a 409 instead: it has decided on what it saw, and has to look again.
//
// Upstream: GuaranteedUpdate in k8s.io/apiserver/pkg/storage/etcd3/store.go.
func (s *Server) guaranteedUpdate(resource Resource, r *http.Request,
	change func(current *unstructured.Unstructured) (*unstructured.Unstructured, error)) (*storage.Object, error) {
	key := resource.key(r.PathValue("namespace"), r.PathValue("name"))
	for {
		before, err := s.store.Get(key)
		if err != nil {
			return nil, err
		}
		current := before.Content()
		next, err := change(current)
		if err != nil {
			return nil, err
		}
		if meant := next.GetResourceVersion(); meant != "" && meant != storage.FormatRevision(before.Revision) {
			return nil, storage.ErrConflict
		}
		if meant := next.GetUID(); meant != "" && meant != current.GetUID() {
			return nil, otherUID(resource, r, meant, current.GetUID())
		}
		next.SetUID(current.GetUID())
		next.SetCreationTimestamp(current.GetCreationTimestamp())
		after, err := s.store.Update(key, before.Revision, next.Object)
		if !errors.Is(err, storage.ErrConflict) {
			return after, err
		}
	}
}

// otherUID is what a write is told that means an object of that name which is gone. The UID of a whole object is a
// precondition. That of a patch is a change of what can't change.
func otherUID(resource Resource, r *http.Request, meant, is types.UID) error {
	name := r.PathValue("name")
	if r.Method == http.MethodPatch {
		return apierrors.NewInvalid(resource.groupVersion().WithKind(resource.Kind).GroupKind(), name, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "uid"), string(meant), "field is immutable")})
	}
	//lint:ignore ST1005 these are the real server's words
	return apierrors.NewConflict(resource.groupResource(), name, fmt.Errorf(
		"Precondition failed: UID in precondition: %s, UID in object meta: %s", meant, is))
}

// delete removes the object, under the preconditions of its DeleteOptions. There are no finalizers
// and no grace period here: what is deleted is gone.
func (s *Server) delete(resource Resource, w http.ResponseWriter, r *http.Request) error {
	options, err := s.readDeleteOptions(r)
	if err != nil {
		return err
	}
	key := resource.key(r.PathValue("namespace"), r.PathValue("name"))
	uid, err := s.remove(resource, key, options.Preconditions)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusSuccess,
		Details:  &metav1.StatusDetails{Name: key.Name, Group: resource.Group, Kind: resource.Plural, UID: uid},
	})
	return nil
}

// remove deletes an object for which the preconditions hold, whoever else writes it.
func (s *Server) remove(resource Resource, key storage.Key, must *metav1.Preconditions) (types.UID, error) {
	for {
		before, err := s.store.Get(key)
		if err != nil {
			return "", err
		}
		uid := before.Content().GetUID()
		if must != nil {
			if (must.UID != nil && *must.UID != uid) ||
				(must.ResourceVersion != nil && *must.ResourceVersion != storage.FormatRevision(before.Revision)) {
				return "", apierrors.NewConflict(resource.groupResource(), key.Name,
					errors.New("the precondition does not hold"))
			}
		}
		if _, err := s.store.Delete(key, before.Revision); !errors.Is(err, storage.ErrConflict) {
			return uid, err
		} // written in between: check again
	}
}

// deleteCollection removes what a list with the same options would show, and answers with that list. It is many writes
// and no transaction: a precondition that does not hold ends it in the middle, and what has gone by then has gone.
//
// Upstream: k8s.io/apiserver/pkg/registry/generic/registry.Store.DeleteCollection.
func (s *Server) deleteCollection(resource Resource, w http.ResponseWriter, r *http.Request) error {
	deletion, err := s.readDeleteOptions(r)
	if err != nil {
		return err
	}
	options, err := parseOptions(resource, r)
	if err != nil {
		return err
	}
	if v := r.URL.Query(); v.Has("limit") || v.Has("continue") {
		return apierrors.NewBadRequest("this server has no pages: it would delete more than the limit says")
	}
	found, revision, err := s.matching(options)
	if err != nil {
		return err
	}
	for _, o := range found {
		_, err := s.remove(resource, o.Key, deletion.Preconditions)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
	}
	writeList(w, resource, found, revision)
	return nil
}

// errorAbout is for a name that is not in the URL.
func errorAbout(resource Resource, name string, err error) error {
	s := status(resource, name, err)
	return &apierrors.StatusError{ErrStatus: s}
}
