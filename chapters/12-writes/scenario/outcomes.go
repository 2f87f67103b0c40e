package scenario

// Outcomes are what comes of two writes that were made from the same object: two fields, one field, a counter, a
// list, of a PodTemplate and of a Process. both: what both wanted is there. lost: both were accepted, and one is not
// there.
var Outcomes = map[string][2][4]string{
	"update":                     {{"409", "409", "409", "409"}, {"409", "409", "409", "409"}},
	"update without a version":   {{"lost", "lost", "lost", "lost"}, {"422", "422", "422", "422"}},
	"merge patch":                {{"both", "lost", "lost", "lost"}, {"both", "lost", "lost", "lost"}},
	"merge patch with a version": {{"409", "409", "409", "409"}, {"409", "409", "409", "409"}},
	"strategic merge patch":      {{"both", "lost", "lost", "both"}, {"415", "415", "415", "415"}},
	"JSON patch":                 {{"both", "lost", "lost", "both"}, {"both", "lost", "lost", "both"}},
	"JSON patch, values tested":  {{"both", "422", "422", "both"}, {"both", "422", "422", "both"}},
	"JSON patch, version tested": {{"422", "422", "422", "422"}, {"422", "422", "422", "422"}},
	"apply":                      {{"both", "409", "lost", "both"}, {"both", "409", "lost", "both"}},
	"apply with a version":       {{"409", "409", "409", "409"}, {"409", "409", "409", "409"}},
	"apply with force":           {{"both", "lost", "lost", "both"}, {"both", "lost", "lost", "both"}},
}

// Keeps are the ways that lose nothing in a race of many.
var Keeps = map[string]bool{"update": true, "merge patch with a version": true, "JSON patch, values tested": true,
	"JSON patch, version tested": true, "apply with a version": true}
