package apiserver

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// encodings are the media types in which the resource is served. A client without a wish gets the first.
func (r Resource) encodings() []string {
	if r.AddToScheme == nil {
		return []string{runtime.ContentTypeJSON} // without Go types nobody knows the numbers of protobuf's fields
	}
	return []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf}
}

// negotiate chooses the encoding of an answer by the client's Accept header: the clause with the greatest weight that
// is about one of the encodings. A clause that asks for another kind, as a table, is passed over. A client for which
// nothing is left gets a 406, and so does one that names none of the encodings in full, and does not say "anything":
// upstream's router knows no "application/*".
//
// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/negotiation.NegotiateMediaTypeOptions, behind Route.matchesAccept
// of github.com/emicklei/go-restful/v3.
func negotiate(accept string, encodings []string) (string, error) {
	if accept == "" {
		return encodings[0], nil
	}
	clauses := parseAccept(accept)
	routed := slices.ContainsFunc(clauses, func(c clause) bool {
		return c.media == "*/*" || slices.Contains(encodings, c.media)
	})
	for _, c := range clauses {
		for _, encoding := range encodings {
			if routed && c.plain && c.about(encoding) {
				return encoding, nil
			}
		}
	}
	return "", &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotAcceptable, Reason: metav1.StatusReasonNotAcceptable,
		Message: "only the following media types are accepted: " + strings.Join(encodings, ", "),
	}}
}

// clause is one of the things that a client can read, by its Accept header.
type clause struct {
	media  string  // application/json, application/*, */*
	weight float64 // q: 1 where the client says nothing, and 0 is the least wanted, and not refused
	plain  bool    // it asks for nothing but an encoding
}

// parseAccept reads the clauses of an Accept header and puts what is wanted most first: the greater weight, and of two
// that weigh the same the one with fewer stars.
func parseAccept(header string) []clause {
	var clauses []clause
	for part := range strings.SplitSeq(header, ",") {
		media, parameters, _ := strings.Cut(part, ";")
		c := clause{media: strings.TrimSpace(media), weight: 1, plain: true}
		for parameter := range strings.SplitSeq(parameters, ";") {
			name, value, _ := strings.Cut(parameter, "=")
			switch value = strings.TrimSpace(value); strings.TrimSpace(name) {
			case "q":
				c.weight, _ = strconv.ParseFloat(value, 64)
			case "as", "g", "v": // another kind: a Table, or metadata alone
				c.plain = c.plain && value == ""
			case "stream":
				c.plain = c.plain && (value == "" || value == "watch")
			}
		}
		clauses = append(clauses, c)
	}
	slices.SortStableFunc(clauses, func(a, b clause) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight),
			cmp.Compare(strings.Count(a.media, "*"), strings.Count(b.media, "*")))
	})
	return clauses
}

// about says whether a clause means an encoding, among others perhaps.
func (c clause) about(encoding string) bool {
	kind, _, _ := strings.Cut(encoding, "/")
	return c.media == encoding || c.media == kind+"/*" || c.media == "*/*"
}
