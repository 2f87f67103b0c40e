package apiserver

import (
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// get answers with one object, in the bytes that it was stored in.
func (s *Server) get(resource Resource, w http.ResponseWriter, r *http.Request) error {
	o, err := s.store.Get(resource.key(r.PathValue("namespace"), r.PathValue("name")))
	if err != nil {
		return err
	}
	writeObject(w, http.StatusOK, o)
	return nil
}

// list answers with what matches and with the revision at which that is true. With watch=true the
// same request is a watch.
func (s *Server) list(resource Resource, w http.ResponseWriter, r *http.Request) error {
	options, err := parseOptions(resource, r)
	if err != nil {
		return err
	}
	if options.watch {
		return s.watch(resource, w, r, options)
	}
	found, revision, err := s.matching(options)
	if err != nil {
		return err
	}
	writeList(w, resource, found, revision)
	return nil
}

// matching is what a list answers with.
func (s *Server) matching(options listOptions) (found []*storage.Object, revision uint64, err error) {
	found, revision = s.store.List(options.query)
	if options.revision > revision {
		return nil, 0, tooLarge(options.revision, revision)
	}
	if options.exact && options.revision != revision {
		return nil, 0, apierrors.NewResourceExpired("The provided resourceVersion is too old for an exact list: " +
			"only the present one is kept.")
	}
	return found, revision, nil
}

// writeList answers with objects, in the bytes that each was stored in.
func writeList(w http.ResponseWriter, resource Resource, found []*storage.Object, revision uint64) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"%d"},"items":[`,
		resource.Kind, resource.groupVersion(), revision)
	for i, o := range found {
		if i > 0 {
			_, _ = w.Write([]byte(","))
		}
		_, _ = w.Write(o.JSON) // encoded when it was written, not now
	}
	_, _ = w.Write([]byte("]}\n"))
}

// tooLarge refuses a revision from the future, with the cause that client-go's reflector looks for.
func tooLarge(asked, current uint64) error {
	err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", asked, current), 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"}}
	return err
}

func writeObject(w http.ResponseWriter, code int, o *storage.Object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(o.JSON)
	_, _ = w.Write([]byte("\n"))
}
